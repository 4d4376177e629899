package shop;

import java.util.ArrayList;
import java.util.List;

/** A bank account with a limit for overdrafts. */
public class Account {
    private final String owner;
    private final int overdraft;
    private int balance;
    private boolean frozen;
    private final List<Integer> movements = new ArrayList<>();

    public Account(String owner, int overdraft) {
        if (owner == null || owner.isEmpty()) {
            throw new IllegalArgumentException("an account has an owner");
        }
        if (overdraft < 0) {
            throw new IllegalArgumentException("the overdraft is not negative");
        }
        this.owner = owner;
        this.overdraft = overdraft;
    }

    public String getOwner() {
        return owner;
    }

    public int getBalance() {
        return balance;
    }

    public List<Integer> getMovements() {
        return movements;
    }

    public void freeze() {
        frozen = true;
    }

    public void deposit(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("only positive amounts");
        }
        balance += amount;
        movements.add(amount);
    }

    public boolean withdraw(int amount) {
        if (frozen) {
            throw new IllegalStateException("the account is frozen");
        }
        if (amount <= 0 || amount > balance + overdraft) {
            return false;
        }
        balance -= amount;
        movements.add(-amount);
        return true;
    }

    public String rating() {
        if (balance >= 10_000) {
            return "gold";
        }
        return balance < 0 ? "overdrawn" : "plain";
    }
}

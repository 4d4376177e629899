//! The thread that knows what time it is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

use crate::alarm::{Alarm, Cause, WeakAlarm};

/// Raises alarms when their time is over. The thread ends with the last copy of this.
#[derive(Debug, Clone)]
pub(crate) struct Watchdog {
    orders: Sender<Order>,
}

/// An alarm, and when it is raised.
struct Order {
    at: Instant,
    alarm: WeakAlarm,
}

impl PartialEq for Order {
    fn eq(&self, other: &Order) -> bool {
        self.at == other.at
    }
}

impl Eq for Order {}

impl PartialOrd for Order {
    fn partial_cmp(&self, other: &Order) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Order {
    fn cmp(&self, other: &Order) -> std::cmp::Ordering {
        self.at.cmp(&other.at)
    }
}

impl Watchdog {
    pub(crate) fn start() -> Watchdog {
        let (orders, incoming) = channel();
        thread::spawn(move || watch(&incoming));
        Watchdog { orders }
    }

    /// Raises an alarm at a time, unless it is gone by then.
    pub(crate) fn raise_at(&self, at: Instant, alarm: &Alarm) {
        // The thread lives as long as there is somebody to send orders.
        let _ = self.orders.send(Order { at, alarm: alarm.downgrade() });
    }
}

fn watch(incoming: &Receiver<Order>) {
    let mut orders: BinaryHeap<Reverse<Order>> = BinaryHeap::new();
    loop {
        let now = Instant::now();
        while orders.peek().is_some_and(|Reverse(order)| order.at <= now) {
            if let Some(Reverse(order)) = orders.pop() {
                order.alarm.raise(Cause::Time);
            }
        }
        let next = match orders.peek() {
            Some(Reverse(order)) => incoming.recv_timeout(order.at.saturating_duration_since(now)),
            None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(order) => orders.push(Reverse(order)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

//! Rules to Prolog.

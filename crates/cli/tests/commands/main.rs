//! The binary as users run it: one module for each command or subject.

mod assembled;
mod budget;
mod cases;
mod costs;
mod fixtures;
mod generate;
mod guidance;
mod messages;
mod more;
mod paper_figures;
mod papers_page;
mod profiles;
mod run;

//! What the person asked for, and the words by which a form may call each piece of it.

/// One thing to be told to the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The field's name on the server: the client never sees it.
    pub field: &'static str,
    pub control: Control,
    pub value: &'static str,
    /// The labels a form may use for it.
    pub words: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Clicked and typed into.
    Text,
    /// Set as a whole.
    Number,
    Choice(&'static [&'static str]),
    Tick,
    Lines,
}

pub const WISHES: &[Wish] = &[
    Wish {
        field: "passenger",
        control: Control::Text,
        value: "Ada Lovelace",
        words: &["Full name", "Passenger", "Name on the ticket"],
    },
    Wish {
        field: "mail",
        control: Control::Text,
        value: "ada@example.org",
        words: &["E-mail", "Where to send the ticket", "Contact address"],
    },
    Wish {
        field: "people",
        control: Control::Number,
        value: "2",
        words: &["Travellers", "How many people", "Number of places"],
    },
    Wish {
        field: "berth",
        control: Control::Choice(&["Upper berth", "Middle berth", "Lower berth", "Seat"]),
        value: "Lower berth",
        words: &["Where you sleep", "Kind of bed", "Accommodation"],
    },
    Wish {
        field: "breakfast",
        control: Control::Tick,
        value: "on",
        words: &["Breakfast in bed", "Wake me with breakfast", "Add breakfast"],
    },
    Wish {
        field: "note",
        control: Control::Lines,
        value: "Window side, please; \u{201e}leise\u{201c} \u{2013} danke",
        words: &["Note to the conductor", "Anything else", "Special wishes"],
    },
];

/// The words on the button that opens the confirmation.
pub const GO_ON: &[&str] = &["Check my booking", "Review", "Go on"];
/// The words on the button that books.
pub const CONFIRM: &[&str] = &["Book it", "Buy now", "Confirm and pay"];

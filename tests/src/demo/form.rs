//! The booking site: labels, ids, order and words shuffled by a seed; judges what it received.

use super::booking::{CONFIRM, Control, GO_ON, WISHES, Wish};
use super::chance::Chance;
use crate::site::{Received, Response, Site};

const STYLE: &str = "<style>body{font:16px/1.5 sans-serif;margin:24px auto;max-width:640px;color:#223}\
     h1{font-size:26px}label{display:block;margin-top:10px}input,select,textarea{font:inherit;padding:6px;\
     width:100%;box-sizing:border-box;border:1px solid #99a;border-radius:6px}input[type=checkbox]{width:auto}\
     button{font:inherit;padding:8px 18px;margin:14px 10px 0 0;border-radius:6px;border:1px solid #446;\
     background:#eef}#ok{background:#dfd;padding:12px 18px;border-radius:8px}td{padding:4px 14px 4px 0}\
     dialog{border:2px solid #446;border-radius:10px}</style>";

#[derive(Debug)]
pub struct BookingSite {
    pub site: Site,
    /// On the last page; nobody can know it who did not read that page.
    pub ticket: String,
}

impl BookingSite {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let ticket = format!("NT-{:06}", chance.below(1_000_000));
        let site = Site::new();
        site.page("/", &form(&mut chance));
        let printed = ticket.clone();
        site.serve("/book", move |booking| Response::html(&confirmation(booking, &printed)));
        Self { site, ticket }
    }

    /// What is wrong with what the server received: nothing, after a right booking.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let received = self.site.received();
        let bookings: Vec<_> = received.iter().filter(|request| request.path == "/book").collect();
        match bookings[..] {
            [booking] => WISHES.iter().filter_map(|wish| fault(booking, wish)).collect(),
            _ => vec![format!("{} bookings were received instead of one", bookings.len())],
        }
    }
}

/// The last page: the ticket, and the booking as the server received it.
fn confirmation(booking: &Received, ticket: &str) -> String {
    let row = |wish: &Wish| {
        let value = booking.field(wish.field).unwrap_or_default();
        format!("<tr><td>{}<td><b>{}</b>", wish.words[0], escaped(&value))
    };
    let rows: String = WISHES.iter().map(row).collect();
    format!(
        "{STYLE}<title>Your ticket</title><h1>Good night, and good journey</h1>\
         <p id=ok>Booked. Your ticket is <b>{ticket}</b>.</p><table>{rows}</table>"
    )
}

fn fault(booking: &Received, wish: &Wish) -> Option<String> {
    let got = booking.field(wish.field);
    let right = got.as_deref() == Some(wish.value);
    (!right).then(|| format!("{}: {:?} was asked for, {got:?} came", wish.field, wish.value))
}

fn form(chance: &mut Chance) -> String {
    let mut fields: Vec<String> = WISHES.iter().map(|wish| field(chance, wish)).collect();
    // Nobody asked for it; a careless client fills it in.
    let decoy = id(chance);
    fields.push(format!("<label for={decoy}>Promotion code</label><input id={decoy} name=promo>"));
    chance.shuffle(&mut fields);
    let mut buttons = [
        format!(
            "<button type=button id={} onclick=review()>{}</button>",
            id(chance),
            chance.one_of(GO_ON)
        ),
        format!("<button type=reset id={}>Start over</button>", id(chance)),
    ];
    chance.shuffle(&mut buttons);
    let confirm = chance.one_of(CONFIRM);
    let confirm_id = id(chance);
    let fields = fields.concat();
    let buttons = buttons.concat();
    // The confirmation exists only after the review was asked for.
    format!(
        "{STYLE}<title>Night train</title><h1>A berth on the night train</h1>\
         <form method=post action=/book>{fields}{buttons}<p id=after></p></form>\
         <script>function review() {{ say('review'); const b = document.createElement('button');\
         b.id = '{confirm_id}'; b.textContent = '{confirm}';\
         document.getElementById('after').replaceChildren('Everything right? ', b); }}</script>"
    )
}

fn field(chance: &mut Chance, wish: &Wish) -> String {
    let (id, label, name) = (id(chance), chance.one_of(wish.words), wish.field);
    match wish.control {
        Control::Text => format!("<label for={id}>{label}</label><input id={id} name={name}>"),
        Control::Number => {
            format!(
                "<label for={id}>{label}</label><input id={id} name={name} type=number min=1 max=6 value=1>"
            )
        }
        Control::Lines => {
            format!(
                "<label for={id}>{label}</label><textarea id={id} name={name} rows=2></textarea>"
            )
        }
        Control::Tick => {
            format!("<label><input type=checkbox id={id} name={name}> {label}</label>")
        }
        Control::Choice(choices) => {
            let mut choices = choices.to_vec();
            chance.shuffle(&mut choices);
            // The asked-for choice is never the one that stands there already.
            choices.sort_by_key(|choice| *choice == wish.value);
            let options: String = choices.iter().map(|c| format!("<option>{c}</option>")).collect();
            format!("<label for={id}>{label}</label><select id={id} name={name}>{options}</select>")
        }
    }
}

fn id(chance: &mut Chance) -> String {
    format!("x{:x}", chance.number() >> 32)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_seed_gives_another_form_and_the_same_seed_the_same() {
        let form = |seed| form(&mut Chance::new(seed));
        assert_eq!(form(1), form(1));
        assert_ne!(form(1), form(2));
    }

    #[test]
    fn without_a_booking_there_is_a_fault() {
        assert_eq!(BookingSite::new(1).faults(), ["0 bookings were received instead of one"]);
    }
}

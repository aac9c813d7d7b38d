use crate::v1::{Card, Color};

const SYMBOLS_PER_COLOR: i32 = 13;

/// What a card shows apart from its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// 0 to 9.
    Number(u8),
    /// Skip.
    Skip,
    /// Reverse.
    Reverse,
    /// Draw Two.
    DrawTwo,
    /// Wild.
    Wild,
    /// Wild Draw Four.
    WildDrawFour,
}

/// A hand is read as `view.hand()`: cards that only a later version knows are not among them.
impl Card {
    /// Returns whether this is a Wild or Wild Draw Four.
    #[must_use]
    pub fn is_wild(self) -> bool {
        matches!(self, Card::Wild | Card::WildDrawFour)
    }

    /// Returns the color, `Unspecified` for a wild and for what is no card.
    #[must_use]
    pub fn color(self) -> Color {
        if self == Card::Unspecified || self.is_wild() {
            return Color::Unspecified;
        }
        Color::try_from(1 + (self as i32 - 1) / SYMBOLS_PER_COLOR).unwrap_or_default()
    }

    /// Returns the symbol, none of what is no card.
    #[must_use]
    pub fn symbol(self) -> Option<Symbol> {
        match self {
            Card::Unspecified => None,
            Card::Wild => Some(Symbol::Wild),
            Card::WildDrawFour => Some(Symbol::WildDrawFour),
            _ => match (self as i32 - 1) % SYMBOLS_PER_COLOR {
                10 => Some(Symbol::Skip),
                11 => Some(Symbol::Reverse),
                12 => Some(Symbol::DrawTwo),
                number => u8::try_from(number).ok().map(Symbol::Number),
            },
        }
    }

    /// Returns what the card costs its holder at the end of a round (RULES.md R1.7), 0 for what is no card.
    #[must_use]
    pub fn points(self) -> u32 {
        match self.symbol() {
            None => 0,
            Some(Symbol::Number(number)) => number.into(),
            Some(Symbol::Skip | Symbol::Reverse | Symbol::DrawTwo) => 10,
            Some(Symbol::Wild) => 15,
            Some(Symbol::WildDrawFour) => 20,
        }
    }

    /// Returns whether the card can be laid on the top card while a color is in force (RULES.md R5): a wild always, a
    /// colored card by the color in force or by the symbol of the top card.
    #[must_use]
    pub fn matches(self, top: Card, active: Color) -> bool {
        self != Card::Unspecified && (self.is_wild() || self.color() == active || self.symbol() == top.symbol())
    }

    /// Returns the short name, as in `R5`, `GS`, `BR`, `YD`, `WW`, `WF`, or `??` for what is no card.
    #[must_use]
    pub fn short_name(self) -> String {
        let color = match self.color() {
            Color::Red => 'R',
            Color::Yellow => 'Y',
            Color::Green => 'G',
            Color::Blue => 'B',
            Color::Unspecified => 'W',
        };
        let symbol = match self.symbol() {
            None => return "??".into(),
            Some(Symbol::Number(number)) => char::from(b'0' + number),
            Some(Symbol::Skip) => 'S',
            Some(Symbol::Reverse) => 'R',
            Some(Symbol::DrawTwo) => 'D',
            Some(Symbol::Wild) => 'W',
            Some(Symbol::WildDrawFour) => 'F',
        };
        format!("{color}{symbol}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::vectors;

    #[test]
    fn faces_are_those_of_the_vectors() {
        let table = vectors("cards/faces.json");
        let faces = table["faces"].as_array().unwrap();
        assert_eq!(faces.len(), 54);
        for face in faces {
            let card = Card::from_str_name(face["card"].as_str().unwrap()).unwrap();
            let color = face["color"].as_str().map(|name| Color::from_str_name(name).unwrap());
            let symbol = match face["symbol"].as_str().unwrap() {
                "SKIP" => Symbol::Skip,
                "REVERSE" => Symbol::Reverse,
                "DRAW_TWO" => Symbol::DrawTwo,
                "WILD" => Symbol::Wild,
                "WILD_DRAW_FOUR" => Symbol::WildDrawFour,
                number => Symbol::Number(number.parse().unwrap()),
            };
            assert_eq!(i64::from(card as i32), face["number"]);
            assert_eq!(card.short_name(), face["name"]);
            assert_eq!(card.color(), color.unwrap_or_default(), "{card:?}");
            assert_eq!(card.is_wild(), color.is_none(), "{card:?}");
            assert_eq!(card.symbol(), Some(symbol), "{card:?}");
            assert_eq!(u64::from(card.points()), face["points"], "{card:?}");
        }
    }

    #[test]
    fn matches_follow_color_and_symbol() {
        for (card, top, active, due) in [
            (Card::Red5, Card::Red9, Color::Red, true),
            (Card::Blue9, Card::Red9, Color::Red, true),
            (Card::Blue8, Card::Red9, Color::Red, false),
            (Card::BlueSkip, Card::RedSkip, Color::Red, true),
            (Card::BlueSkip, Card::RedReverse, Color::Red, false),
            (Card::Blue1, Card::Wild, Color::Blue, true),
            (Card::Blue1, Card::Wild, Color::Red, false),
            (Card::Wild, Card::Red9, Color::Red, true),
            (Card::WildDrawFour, Card::Wild, Color::Red, true),
            (Card::Unspecified, Card::Unspecified, Color::Red, false),
        ] {
            assert_eq!(card.matches(top, active), due, "{card:?} on {top:?} with {active:?}");
        }
    }

    #[test]
    fn what_is_no_card_has_nothing() {
        let none = Card::Unspecified;
        assert_eq!((none.color(), none.symbol(), none.points()), (Color::Unspecified, None, 0));
        assert_eq!((none.is_wild(), none.short_name()), (false, "??".into()));
    }
}

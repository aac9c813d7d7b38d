package main

import (
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed schemas.json
var schemasJSON []byte

// schemas has the names of the values of enums, by number, and the fields of messages, ascending.
type schemas struct {
	Enums    map[string][]string
	Messages map[string][]*field
}

// field says what a field may hold: its number, the size of its bytes or the count of its list is Least to Most.
type field struct {
	Number                uint32
	Name, Type            string
	Many, Oneof, Optional bool
	Least, Most           uint32

	path                          string   // as in `Header.match_id`
	enum                          []string // the names of its values
	isMessage, isSized, mustBeSet bool
}

// wire is what log.proto and the files that it imports say, with the ranges in their comments.
var wire = load()

func load() schemas {
	var wire schemas
	if err := json.Unmarshal(schemasJSON, &wire); err != nil {
		panic(err)
	}
	for message, fields := range wire.Messages {
		for _, field := range fields {
			_, isMessage := wire.Messages[field.Type]
			field.complete(message, isMessage, wire.Enums[field.Type])
		}
	}
	return wire
}

func (f *field) complete(message string, isMessage bool, enum []string) {
	f.path, f.isMessage, f.enum = message+"."+f.Name, isMessage, enum
	f.isSized = f.Many || f.isMessage || f.Type == "bytes" || f.Type == "string"
	f.mustBeSet = !f.Oneof && !f.Optional && (f.Least > 0 || !f.Many && (isMessage || enum != nil))
	switch {
	case f.Most > 0:
	case f.Type == "bool":
		f.Most = 1
	case enum != nil && !f.Many:
		f.Least, f.Most = 1, uint32(len(enum))-1
	default:
		f.Most = math.MaxUint32
	}
}

// message is a stored message, read in the one form that the log allows: fields in ascending order, no defaults, no
// unknown fields, varints of least length (PROTOCOL.md, "The log"). It is complete and in range.
type message struct {
	name   string         // of its type
	data   []byte         // that it was read from
	set    *field         // the one of its oneof
	values map[string]any // uint32, []byte or []*message
}

// encoded throws a fault if something does not hold.
func encoded(holds bool, format string, arguments ...any) {
	expect(holds, "ENCODING", format, arguments...)
}

// read returns the message of a type, as in `Header`, that the bytes hold.
func read(name string, data []byte) *message {
	m, fields := &message{name: name, data: data, values: map[string]any{}}, wire.Messages[name]
	for last := uint32(0); len(data) > 0; {
		found, rest := cut(data)
		place := slices.IndexFunc(fields, func(f *field) bool { return f.Number == found.number })
		encoded(place >= 0, "%s: field %d is unknown", name, found.number)
		field := fields[place]
		isMore := field.Number == last && field.Many && field.isMessage
		encoded(field.Number > last || isMore, "%s: is out of order or set twice", field.path)
		encoded(!field.Oneof || m.set == nil, "%s: stands beside another kind", field.path)
		m.take(field, found)
		data, last = rest, field.Number
	}
	for _, field := range fields {
		encoded(!field.mustBeSet || m.values[field.Name] != nil, "%s: must be set", field.path)
		encoded(!field.Oneof || m.set != nil || field.Optional, "%s: must have a kind", name)
	}
	m.checkWhole()
	return m
}

func (m *message) take(field *field, found raw) {
	field.check(found)
	if field.Oneof {
		m.set = field
	}
	if field.isMessage {
		m.values[field.Name] = append(m.messages(field.Name), read(field.Type, found.bytes))
	} else if field.isSized {
		m.values[field.Name] = found.bytes
	} else {
		m.values[field.Name] = found.value
	}
}

// check judges a field without what stands in its message, if it is one.
func (f *field) check(found raw) {
	isDefault := found.value == 0 && !f.Oneof && !f.isMessage
	isInRange := f.Least <= found.value && found.value <= f.Most
	encoded(found.isSized == f.isSized, "%s: has another wire type", f.path)
	encoded(!isDefault, "%s: a default is written out", f.path)
	encoded(isInRange, "%s: must be %d to %d, not %d", f.path, f.Least, f.Most, found.value)
	encoded(f.Type != "string" || utf8.Valid(found.bytes), "%s: is not UTF-8", f.path)
	for _, value := range found.bytes {
		encoded(f.enum == nil || 0 < value && int(value) < len(f.enum), "%s: must not hold %d", f.path, value)
	}
}

// matchEnded is the number of the last event kind that is a fact of the rules and no ruling of the referee.
const matchEnded = 15

// checkWhole judges what no field tells alone, of a message whose fields are right.
func (m *message) checkWhole() {
	switch m.name {
	case "Header":
		isLater := m.number("replaces_number") < m.number("match_number")
		encoded(isLater, "Header.replaces_number: must be that of an earlier match")
		encoded(len(m.messages("players")) == 2, "Header.players: must be two")
	case "Ruleset":
		isClassic := m.enumName("Deck", "deck") == "DECK_CLASSIC_108"
		encoded(!isClassic || m.number("hand_size") <= 25, "Ruleset.hand_size: must be 1 to 25 with this deck")
	case "Player":
		name, bot := string(m.bytes("name")), string(m.bytes("bot"))
		encoded(strings.TrimSpace(name) != "", "Player.name: must not be blank")
		encoded(isName(name) && isName(bot), "Player: has more than 64 characters, or control or format characters")
	case "LoggedAction":
		isOther := func(character rune) bool { return character < ' ' || character > '~' }
		isASCII := !strings.ContainsFunc(string(m.bytes("action_id")), isOther)
		encoded(isASCII, "LoggedAction.action_id: must be printable ASCII")
	case "Entry":
		events := m.messages("events")
		for place, event := range events {
			due := events[0].number("sequence") + uint32(place)
			encoded(event.number("sequence") == due, "Entry.events: must be numbered on")
		}
	case "RecordedEvent":
		isPrivate, isRuling := m.number("private_to") != 0, m.message("event").set.Number > matchEnded
		encoded(isPrivate || m.bytes("private_cards") == nil, "RecordedEvent.private_to: must be set beside cards")
		encoded(!isPrivate || !isRuling, "RecordedEvent.private_to: must not be set of a ruling")
	}
}

// isName returns whether a text has at most 64 characters, none of them control or format.
func isName(text string) bool {
	return utf8.RuneCountInString(text) <= 64 && !strings.ContainsFunc(text, func(c rune) bool {
		return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// number returns a number, enum or bool; 0 if it is not set.
func (m *message) number(name string) uint32 { value, _ := m.values[name].(uint32); return value }

// bytes returns bytes, a text, or the numbers of a list of cards or seats; none if it is not set.
func (m *message) bytes(name string) []byte { value, _ := m.values[name].([]byte); return value }

// messages returns all messages of a field.
func (m *message) messages(name string) []*message {
	value, _ := m.values[name].([]*message)
	return value
}

// message returns the message of a field, nil if it is not set.
func (m *message) message(name string) *message {
	if all := m.messages(name); all != nil {
		return all[0]
	}
	return nil
}

// kind returns the name and the message of the field of a oneof, of a message that must have one.
func (m *message) kind() (string, *message) { return m.set.Name, m.message(m.set.Name) }

// enumName returns the name of the value of an enum, as in `DECK_CLASSIC_108`.
func (m *message) enumName(enum, name string) string { return wire.Enums[enum][m.number(name)] }

// raw is a field as it stands in a message: its value, or bytes and how many they are.
type raw struct {
	number, value uint32
	isSized       bool
	bytes         []byte
}

// The wire types of a log.
const varint, sized = 0, 2

// cut returns the first field of a message and what follows it.
func cut(data []byte) (found raw, rest []byte) {
	tag, rest := shortest(data)
	encoded(tag&7 == varint || tag&7 == sized, "field %d has wire type %d", tag>>3, tag&7)
	found.number, found.isSized = tag>>3, tag&7 == sized
	found.value, rest = shortest(rest)
	if found.isSized {
		encoded(uint64(found.value) <= uint64(len(rest)), "field %d is longer than its message", found.number)
		found.bytes, rest = rest[:found.value], rest[found.value:]
	}
	return found, rest
}

// shortest returns an unsigned 32-bit integer in its shortest form and what follows it.
func shortest(data []byte) (number uint32, rest []byte) {
	value, size := binary.Uvarint(data)
	isShortest := size > 0 && size == len(binary.AppendUvarint(nil, value))
	encoded(isShortest && value <= math.MaxUint32, "a number is not in its shortest form or not of 32 bits")
	return uint32(value), data[size:]
}

// Package wire reads stored protobuf messages in the one form that the log allows: fields in ascending order, no
// defaults, no unknown fields, varints of least length (PROTOCOL.md, "The log").
//
// It is driven by schemas, tables that say of each field what it may hold. What it has read is complete and in range.
package wire

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Message is a message that was read: the values of its fields that are set.
type Message struct {
	schema *Schema
	values []value
	data   []byte
}

type value struct {
	field   *Field
	number  uint32
	bytes   []byte
	message *Message
}

// Read returns the message that the bytes hold. An error names the field, as in `entry.input.seat`.
func Read(schema *Schema, data []byte) (*Message, error) {
	return read(schema, data, schema.Name)
}

func read(schema *Schema, data []byte, path string) (*Message, error) {
	message := &Message{schema: schema, data: data}
	last := uint32(0)
	for at := 0; at < len(data); {
		tag, size := varint(data[at:])
		if size == 0 {
			return nil, fmt.Errorf("%s: a tag is no varint of least length", path)
		}
		at += size
		field := schema.field(tag >> 3)
		if field == nil {
			return nil, fmt.Errorf("%s: field %d is unknown", path, tag>>3)
		}
		here := path + "." + field.Name
		if field.Number < last || field.Number == last && !field.many {
			return nil, fmt.Errorf("%s: is out of order or set twice", here)
		}
		last = field.Number
		if tag&7 != field.wireType() {
			return nil, fmt.Errorf("%s: has wire type %d, must be %d", here, tag&7, field.wireType())
		}
		number, size := varint(data[at:])
		if size == 0 {
			return nil, fmt.Errorf("%s: is no varint of least length and 32 bits", here)
		}
		at += size
		found := value{field: field, number: number}
		if field.kind != numberKind {
			if uint64(number) > uint64(len(data)-at) {
				return nil, fmt.Errorf("%s: is longer than the message that holds it", here)
			}
			found.bytes = data[at : at+int(number)]
			at += int(number)
		}
		if err := found.check(here); err != nil {
			return nil, err
		}
		message.values = append(message.values, found)
	}
	return message, message.complete(path)
}

// check judges the value alone, and reads it if it is a message.
func (v *value) check(path string) error {
	field := v.field
	implicit := !field.inOneof && !field.many
	switch field.kind {
	case numberKind:
		if v.number == 0 && implicit {
			return fmt.Errorf("%s: a default is written out", path)
		}
		if v.number < field.least || v.number > field.most {
			return fmt.Errorf("%s: must be %d to %d, not %d", path, field.least, field.most, v.number)
		}
	case textKind:
		if !utf8.Valid(v.bytes) {
			return fmt.Errorf("%s: is not UTF-8", path)
		}
		fallthrough
	case bytesKind:
		if len(v.bytes) == 0 && implicit {
			return fmt.Errorf("%s: a default is written out", path)
		}
		if field.size != 0 && len(v.bytes) != field.size {
			return fmt.Errorf("%s: must have %d bytes, not %d", path, field.size, len(v.bytes))
		}
	case listKind:
		if len(v.bytes) == 0 {
			return fmt.Errorf("%s: a default is written out", path)
		}
		for place, element := range v.bytes {
			if element == 0 || uint32(element) > field.most {
				return fmt.Errorf("%s[%d]: must be 1 to %d in a byte, not %d", path, place, field.most, element)
			}
		}
	case messageKind:
		var err error
		v.message, err = read(field.of, v.bytes, path)
		return err
	}
	return nil
}

// complete checks that what must be set is set, exactly one field of a oneof among it, and what the schema adds.
func (m *Message) complete(path string) error {
	alternatives := 0
	for _, value := range m.values {
		if value.field.inOneof {
			alternatives++
		}
	}
	if alternatives > 1 || alternatives == 0 && m.schema.oneofRequired {
		return fmt.Errorf("%s: has %d kinds, must have one", path, alternatives)
	}
	for i := range m.schema.fields {
		field := &m.schema.fields[i]
		if field.required && m.find(field.Name) == nil {
			return fmt.Errorf("%s.%s: must be set", path, field.Name)
		}
	}
	if m.schema.check != nil {
		if err := m.schema.check(m); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// varint returns an unsigned 32-bit integer and how many bytes it takes; 0 bytes if it is not in its shortest form.
func varint(data []byte) (number uint32, size int) {
	sum := uint64(0)
	for place, next := range data {
		sum |= uint64(next&0x7f) << (7 * place)
		if next < 0x80 {
			if next == 0 && place > 0 || sum > math.MaxUint32 {
				return 0, 0
			}
			return uint32(sum), place + 1
		}
		if place == 4 {
			break
		}
	}
	return 0, 0
}

func (m *Message) find(name string) *value {
	for i := range m.values {
		if m.values[i].field.Name == name {
			return &m.values[i]
		}
	}
	return nil
}

// Data returns the bytes of the message.
func (m *Message) Data() []byte { return m.data }

// Number returns a number, enum or bool; 0 if it is not set.
func (m *Message) Number(name string) uint32 {
	if value := m.find(name); value != nil {
		return value.number
	}
	return 0
}

// Bytes returns bytes, the numbers of a list of cards or seats, or a text; none if it is not set.
func (m *Message) Bytes(name string) []byte {
	if value := m.find(name); value != nil {
		return value.bytes
	}
	return nil
}

// Message returns the message of a field, nil if it is not set.
func (m *Message) Message(name string) *Message {
	if value := m.find(name); value != nil {
		return value.message
	}
	return nil
}

// Messages returns all messages of a repeated field.
func (m *Message) Messages(name string) []*Message {
	var found []*Message
	for _, value := range m.values {
		if value.field.Name == name {
			found = append(found, value.message)
		}
	}
	return found
}

// Kind returns the name and the message of the field of a oneof that is set.
func (m *Message) Kind() (string, *Message) {
	for _, value := range m.values {
		if value.field.inOneof {
			return value.field.Name, value.message
		}
	}
	return "", nil
}

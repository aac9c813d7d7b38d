package wire

import "math"

// Schema says what a message may hold.
type Schema struct {
	Name          string
	fields        []Field
	oneofRequired bool
	check         func(*Message) error
}

type kind int

const (
	numberKind kind = iota
	bytesKind
	textKind
	listKind
	messageKind
)

// Field says what a field may hold.
type Field struct {
	Number, least, most     uint32
	Name                    string
	kind                    kind
	size                    int
	of                      *Schema
	required, many, inOneof bool
}

func (s *Schema) field(number uint32) *Field {
	for i := range s.fields {
		if s.fields[i].Number == number {
			return &s.fields[i]
		}
	}
	return nil
}

func (f *Field) wireType() uint32 {
	if f.kind == numberKind {
		return 0
	}
	return 2
}

func schema(name string, fields ...Field) *Schema { return &Schema{Name: name, fields: fields} }

// withKind returns the schema of a message of which one kind must be set.
func (s *Schema) withKind() *Schema { s.oneofRequired = true; return s }

// checked adds what the fields alone do not say.
func (s *Schema) checked(check func(*Message) error) *Schema { s.check = check; return s }

func num(number uint32, name string) Field {
	return Field{Number: number, Name: name, kind: numberKind, most: math.MaxUint32}
}

func flag(number uint32, name string) Field { return num(number, name).upTo(1) }

// enum is an optional enum whose values are numbered 1 to last; `must` makes it required.
func enum(number uint32, name string, last uint32) Field { return num(number, name).upTo(last) }

func blob(number uint32, name string, size int) Field {
	return Field{Number: number, Name: name, kind: bytesKind, size: size}
}

func text(number uint32, name string) Field { return Field{Number: number, Name: name, kind: textKind} }

// list is a packed repeated enum.
func list(number uint32, name string, last uint32) Field {
	return Field{Number: number, Name: name, kind: listKind, most: last}
}

func message(number uint32, name string, of *Schema) Field {
	return Field{Number: number, Name: name, kind: messageKind, of: of}
}

func messages(number uint32, name string, of *Schema) Field {
	return Field{Number: number, Name: name, kind: messageKind, of: of, many: true}
}

func (f Field) upTo(most uint32) Field { f.most = most; return f }

func (f Field) must() Field { f.required = true; return f }

// alternative makes a field one of a oneof: it is written even if it holds its default.
func (f Field) alternative() Field { f.inOneof = true; return f }

func kinds(first uint32, of ...*Schema) []Field {
	var fields []Field
	for i, schema := range of {
		fields = append(fields, message(first+uint32(i), schema.Name, schema).alternative())
	}
	return fields
}

package unoduo

import (
	"google.golang.org/protobuf/encoding/protojson"

	pb "unoduo/clients/go/bot/unoduov1"
)

// ObservationFromJSON reads an observation in protobuf's JSON, such as a position to test a bot with. Kinds, fields and
// enum names of a later version of the protocol are skipped.
func ObservationFromJSON(data []byte) (*pb.Observation, error) {
	observation := &pb.Observation{}
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, observation); err != nil {
		return nil, err
	}
	return observation, nil
}

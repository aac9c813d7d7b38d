package unoduo.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import unoduo.v1.Observation;

/** Reads positions to test a bot with. */
public final class Positions {
    private Positions() {}

    /**
     * Reads an observation in protobuf's JSON. Kinds, fields and enum names of a later version of the protocol are
     * skipped. Throws ClientException for what is no observation.
     */
    public static Observation fromJson(String json) {
        Observation.Builder observation = Observation.newBuilder();
        try {
            JsonFormat.parser().ignoringUnknownFields().merge(json, observation);
        } catch (InvalidProtocolBufferException error) {
            throw new ClientException("this is no observation: " + error.getMessage(), error);
        }
        return observation.build();
    }
}

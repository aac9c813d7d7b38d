package unoduo.client;

import java.util.function.Consumer;
import unoduo.v1.RequestItem;
import unoduo.v1.ResponseItem;

/** What a conversation knows of a connection. */
interface Line {
    /** Returns a new handle; what comes under it is given to the route. */
    int open(Consumer<ResponseItem> route);

    /** Forgets a handle: what still comes under it is nobody's. */
    void drop(int handle);

    /** Sends an item as soon as possible. Throws ClientException for one that no request can hold. */
    void put(RequestItem item);

    /** Tells that the connection has brought something new. */
    void progress();
}

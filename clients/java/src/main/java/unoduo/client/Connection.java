package unoduo.client;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import unoduo.v1.Assigned;
import unoduo.v1.Hello;
import unoduo.v1.PlayRequest;
import unoduo.v1.PlayResponse;
import unoduo.v1.RefereeServiceGrpc;
import unoduo.v1.RequestItem;
import unoduo.v1.ResponseItem;
import unoduo.v1.SessionInfo;

/**
 * Carries items of any number of handles over one Play call; lost, it is not mended but replaced. Everything happens on
 * the loop of the session.
 */
final class Connection implements Line {
    private static final System.Logger LOG = System.getLogger("unoduo.client");
    private static final int PROTOCOL = 1;
    private static final int MAX_PORT = 65_535;
    private static final int ITEM_OVERHEAD = 5; // bytes: an item's own tag and length in the request
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(10); // that held so long was worth having

    /** Is told what happens to a connection. */
    interface Listener {
        /** The referee has answered the greeting. */
        void greeted(Connection connection);

        /** The connection has ended, perhaps before it was greeted; nothing else follows. */
        void lost(Connection connection, RefereeException why);

        /** The bot was given a seat. */
        void assigned(Assigned seat);
    }

    private final String address;
    private final Loop loop;
    private final Listener listener;
    private final ManagedChannel channel;
    private final long opened = System.nanoTime();
    private final Future<?> timer;
    private final Map<Integer, Consumer<ResponseItem>> routes = new HashMap<>();
    private final Queue<RequestItem> queue = new ArrayDeque<>();
    private ClientCallStreamObserver<PlayRequest> stream;
    private int lastHandle;
    private int maxItems = 64;
    private int maxBytes = 64 * 1024;
    private boolean isGreeted;
    private boolean isFruitful;
    private boolean isFlushing; // soon
    private boolean isLost;

    /** Connects, and greets the referee, which must answer within a time. Throws ClientException for wrong options. */
    Connection(String address, Options options, Duration within, Loop loop, Listener listener) {
        this.address = address;
        this.loop = loop;
        this.listener = listener;
        this.channel = channelTo(address, options.security());
        this.timer = loop.after(within, this::giveUp);
        Metadata caller = new Metadata();
        if (!options.token().isEmpty()) {
            caller.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + options.token());
        }
        RefereeServiceGrpc.newStub(channel)
                .withExecutor(loop)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(caller))
                .play(new Responses());
        Hello.Builder hello = Hello.newBuilder().setClient(options.client()).setProtocol(PROTOCOL);
        put(RequestItem.newBuilder().setHello(hello).build());
    }

    /** Returns a channel to host:port; nothing is connected before the first call on it. Throws ClientException. */
    private static ManagedChannel channelTo(String address, Security security) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MAX_PORT) {
            throw new ClientException("\"" + address + "\" is no HOST:PORT");
        }
        return Grpc.newChannelBuilder("dns:///" + address, security.credentialsFor(address.substring(0, colon)))
                // A dead peer is noticed within 20 seconds; the referee allows a ping every 10 seconds.
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                .disableRetry()
                .proxyDetector(target -> null) // also bots and referee of one machine talk directly
                .build();
    }

    /** Hands over what the call brings, on the loop. */
    private final class Responses implements ClientResponseObserver<PlayRequest, PlayResponse> {
        @Override
        public void beforeStart(ClientCallStreamObserver<PlayRequest> requests) {
            stream = requests;
            requests.setOnReadyHandler(Connection.this::flush);
        }

        @Override
        public void onNext(PlayResponse response) {
            response.getItemsList().forEach(Connection.this::deliver);
        }

        @Override
        public void onError(Throwable error) {
            lose(Statuses.sessionLost(error, address, isGreeted));
        }

        @Override
        public void onCompleted() {
            lose(RefereeException.ofNetwork(Status.Code.OK, "the referee ended the session", true));
        }
    }

    @Override
    public int open(Consumer<ResponseItem> route) {
        lastHandle++;
        routes.put(lastHandle, route);
        return lastHandle;
    }

    @Override
    public void drop(int handle) {
        routes.remove(handle);
    }

    @Override
    public void put(RequestItem item) {
        if (sizeOf(item) > maxBytes) {
            throw new ClientException(
                    "an item of " + sizeOf(item) + " bytes is larger than the " + maxBytes + " bytes of a request");
        }
        queue.add(item);
        if (!isFlushing) {
            isFlushing = true;
            loop.execute(this::flush); // together with what else is said until then
        }
    }

    @Override
    public void progress() {
        isFruitful = true;
    }

    /** Returns whether it was worth having. */
    boolean wasFruitful() {
        return isFruitful || System.nanoTime() - opened > STEADY_NANOS;
    }

    boolean isGreeted() {
        return isGreeted;
    }

    /** Ends the connection, and tells nobody. */
    void close() {
        isLost = true;
        timer.cancel(false);
        channel.shutdownNow();
    }

    private void lose(RefereeException why) {
        if (!isLost) {
            close();
            listener.lost(this, why);
        }
    }

    private void giveUp() {
        String message = "the referee at " + address + " does not answer";
        lose(RefereeException.ofNetwork(Status.Code.DEADLINE_EXCEEDED, message, true));
    }

    /** Sends what is ready, as far as the call takes it now. */
    private void flush() {
        isFlushing = false;
        while (!isLost && !queue.isEmpty() && stream.isReady()) {
            stream.onNext(next());
        }
    }

    /** Returns a request with all that is ready, within the limits of the session. */
    private PlayRequest next() {
        PlayRequest.Builder request = PlayRequest.newBuilder();
        int room = maxBytes;
        while (!queue.isEmpty() && request.getItemsCount() < maxItems && sizeOf(queue.peek()) <= room) {
            room -= sizeOf(queue.peek());
            request.addItems(queue.remove());
        }
        return request.build();
    }

    private static int sizeOf(RequestItem item) {
        return item.getSerializedSize() + ITEM_OVERHEAD;
    }

    private void deliver(ResponseItem item) {
        Consumer<ResponseItem> route = routes.get(item.getHandle());
        if (isLost) {
            return;
        }
        if (item.getHandle() == 0) {
            hear(item);
        } else if (route != null) {
            route.accept(item);
        }
    }

    /** Takes an item about the session itself. */
    private void hear(ResponseItem item) {
        switch (item.getKindCase()) {
            case ASSIGNED -> listener.assigned(item.getAssigned());
            case SESSION_INFO -> greet(item.getSessionInfo());
            case PROBLEM -> refused(RefereeException.of(item.getProblem()));
            default -> {} // of a later version
        }
    }

    /** Takes over the limits of the session, as far as they are told. */
    private void greet(SessionInfo info) {
        if (!isGreeted) {
            maxItems = info.getMaxItems() > 0 ? info.getMaxItems() : maxItems;
            maxBytes = info.getMaxMessageBytes() > 0 ? info.getMaxMessageBytes() : maxBytes;
            isGreeted = true;
            timer.cancel(false);
            listener.greeted(this);
        }
    }

    private void refused(RefereeException problem) {
        if (isGreeted) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the referee reports a problem with the session: " + problem.getMessage());
        } else {
            lose(problem);
        }
    }
}

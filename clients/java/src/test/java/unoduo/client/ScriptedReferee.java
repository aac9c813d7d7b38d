package unoduo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import unoduo.v1.Ended;
import unoduo.v1.Hello;
import unoduo.v1.Join;
import unoduo.v1.Joined;
import unoduo.v1.Lifecycle;
import unoduo.v1.PlayRequest;
import unoduo.v1.PlayResponse;
import unoduo.v1.RefereeServiceGrpc;
import unoduo.v1.RequestItem;
import unoduo.v1.ResponseItem;
import unoduo.v1.SessionInfo;

/** A referee that serves each session with the next script, and further ones with the last. */
final class ScriptedReferee extends RefereeServiceGrpc.RefereeServiceImplBase implements AutoCloseable {
    static final long GUARD_S = 30; // against hanging
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<String> CALLER = Context.key("caller");

    /** What happens in one session. A StatusRuntimeException ends it so, a return ends it well. */
    @FunctionalInterface
    interface Script {
        void play(Peer peer) throws Exception;
    }

    private final Queue<Script> scripts = new ArrayDeque<>();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final Server server;
    private Script last;

    ScriptedReferee(Script... scripts) throws IOException {
        this.scripts.addAll(List.of(scripts));
        server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(this)
                .intercept(new Callers())
                .build()
                .start();
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    /** Ends the referee and all its sessions. */
    void stop() {
        server.shutdownNow();
    }

    /** Ends the referee, and fails if a script did. */
    @Override
    public void close() {
        stop();
        for (Throwable failure : failures) {
            throw new AssertionError("a script failed", failure);
        }
    }

    @Override
    public synchronized StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> responses) {
        last = scripts.isEmpty() ? last : scripts.remove();
        Script script = last;
        Peer peer = new Peer(CALLER.get(), responses);
        Thread thread = new Thread(() -> follow(script, peer));
        thread.setDaemon(true);
        thread.start();
        return peer;
    }

    private void follow(Script script, Peer peer) {
        try {
            script.play(peer);
            peer.responses.onCompleted();
        } catch (StatusRuntimeException end) {
            peer.responses.onError(end);
        } catch (Throwable failure) {
            failures.add(failure);
            peer.responses.onError(failure);
        }
    }

    /** Remembers what token a call came with. */
    private static final class Callers implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Context context = Context.current().withValue(CALLER, headers.get(AUTHORIZATION));
            return Contexts.interceptCall(context, call, headers, next);
        }
    }

    /** The referee's end of one session. */
    static final class Peer implements StreamObserver<PlayRequest> {
        private static final PlayRequest END = PlayRequest.getDefaultInstance();

        final String caller;
        private final StreamObserver<PlayResponse> responses;
        private final BlockingQueue<PlayRequest> requests = new LinkedBlockingQueue<>();
        private final Queue<RequestItem> pending = new ArrayDeque<>();

        Peer(String caller, StreamObserver<PlayResponse> responses) {
            this.caller = caller;
            this.responses = responses;
        }

        @Override
        public void onNext(PlayRequest request) {
            requests.add(request);
        }

        @Override
        public void onError(Throwable error) {
            requests.add(END);
        }

        @Override
        public void onCompleted() {
            requests.add(END);
        }

        /** Returns the next items that come together. */
        List<RequestItem> receive() throws InterruptedException {
            PlayRequest request = requests.poll(GUARD_S, TimeUnit.SECONDS);
            assertNotNull(request, "nothing comes");
            return request.getItemsList();
        }

        RequestItem next() throws InterruptedException {
            if (pending.isEmpty()) {
                pending.addAll(receive());
            }
            assertFalse(pending.isEmpty(), "the session has ended");
            return pending.remove();
        }

        void send(ResponseItem.Builder... items) {
            List<ResponseItem> built = new ArrayList<>();
            for (ResponseItem.Builder item : items) {
                built.add(item.build());
            }
            responses.onNext(PlayResponse.newBuilder().addAllItems(built).build());
        }

        void greet(SessionInfo info) throws InterruptedException {
            Hello due = Hello.newBuilder()
                    .setClient("unoduo-client java")
                    .setProtocol(1)
                    .build();
            assertEquals(due, next().getHello());
            send(ResponseItem.newBuilder().setSessionInfo(info));
        }

        /** Lets a seat join, under handle 1, and returns how. */
        Join seat() throws InterruptedException {
            RequestItem item = next();
            assertEquals(1, item.getHandle());
            Joined.Builder joined = Joined.newBuilder().setLifecycle(Lifecycle.LIFECYCLE_CREATED);
            send(ResponseItem.newBuilder().setHandle(1).setJoined(joined));
            return item.getJoin();
        }

        void end() {
            send(ResponseItem.newBuilder().setHandle(1).setEnded(Ended.getDefaultInstance()));
        }

        void waitForTheEnd() throws InterruptedException {
            while (requests.take().getItemsCount() > 0) {
                pending.clear();
            }
        }
    }
}

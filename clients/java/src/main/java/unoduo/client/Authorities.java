package unoduo.client;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts certain certificates and what they vouch for, while it is valid: of a server that shows one of them itself,
 * Java would not ask whether that has expired.
 */
final class Authorities extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager javas;

    private Authorities(X509ExtendedTrustManager javas) {
        this.javas = javas;
    }

    static Authorities of(Collection<? extends Certificate> trusted) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (Certificate certificate : trusted) {
            store.setCertificateEntry("trusted " + store.size(), certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return new Authorities((X509ExtendedTrustManager) factory.getTrustManagers()[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String method, SSLEngine engine)
            throws CertificateException {
        javas.checkServerTrusted(chain, method, engine);
        chain[0].checkValidity();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String method, Socket socket) throws CertificateException {
        javas.checkServerTrusted(chain, method, socket);
        chain[0].checkValidity();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String method) throws CertificateException {
        javas.checkServerTrusted(chain, method);
        chain[0].checkValidity();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String method, SSLEngine engine)
            throws CertificateException {
        javas.checkClientTrusted(chain, method, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String method, Socket socket) throws CertificateException {
        javas.checkClientTrusted(chain, method, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String method) throws CertificateException {
        javas.checkClientTrusted(chain, method);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return javas.getAcceptedIssuers();
    }
}

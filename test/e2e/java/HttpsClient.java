// Java's java.net.http: java HttpsClient.java URL AUTHORITY VERSION. Prints a line for each answer.
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

public class HttpsClient {
    private static SSLContext trusting(String path) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream file = new FileInputStream(path)) {
            store.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static void ask(HttpClient client, String method, String url, BodyPublisher body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .method(method, body)
            .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        System.out.println(method + " " + answer.statusCode() + " " + answer.body());
    }

    public static void main(String[] words) throws Exception {
        String url = words[0] + "/led";
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(new String[] {words[2]});
        HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(trusting(words[1]))
            .sslParameters(parameters)
            .build();
        ask(client, "PUT", url, BodyPublishers.ofString("{\"led\":1}"));
        ask(client, "PUT", url, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("{\"led\":0}".getBytes())));
        ask(client, "HEAD", url, BodyPublishers.noBody());
        ask(client, "GET", url, BodyPublishers.noBody());
    }
}

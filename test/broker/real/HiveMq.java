/* HiveMQ in this process: java -cp LIB/* HiveMq.java FOLDER PORT SIZE TOPIC: no packet above SIZE bytes, nothing to TOPIC. */
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.extension.sdk.api.services.builder.Builders;
import java.nio.file.Files;
import java.nio.file.Path;

public class HiveMq {
    /** The access control list: the last permission that fits a message counts. */
    record List(String denied) implements ExtensionMain {
        private TopicPermission permission(String filter, TopicPermission.PermissionType type) {
            TopicPermission.MqttActivity activity =
                filter.equals("#") ? TopicPermission.MqttActivity.ALL : TopicPermission.MqttActivity.PUBLISH;
            return Builders.topicPermission().topicFilter(filter).type(type).activity(activity).build();
        }

        @Override
        public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
            Services.initializerRegistry().setClientInitializer((client, context) -> {
                context.getDefaultPermissions().add(permission(denied, TopicPermission.PermissionType.DENY));
                context.getDefaultPermissions().add(permission("#", TopicPermission.PermissionType.ALLOW));
            });
        }

        @Override
        public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {}
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        for (String name : new String[] {"conf", "data", "extensions"}) Files.createDirectories(folder.resolve(name));
        Files.writeString(folder.resolve("conf/config.xml"), """
            <hivemq>
              <listeners><tcp-listener><port>%s</port><bind-address>127.0.0.1</bind-address></tcp-listener></listeners>
              <mqtt><packets><max-packet-size>%s</max-packet-size></packets></mqtt>
              <anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics>
            </hivemq>
            """.formatted(arguments[1], arguments[2]));
        EmbeddedExtension list = EmbeddedExtension.builder().withId("list").withName("list").withVersion("1")
            .withExtensionMain(new List(arguments[3])).build();
        EmbeddedHiveMQ.builder().withConfigurationFolder(folder.resolve("conf")).withDataFolder(folder.resolve("data"))
            .withExtensionsFolder(folder.resolve("extensions")).withEmbeddedExtension(list).build().start().join();
        Thread.sleep(Long.MAX_VALUE);
    }
}

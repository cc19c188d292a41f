import { useState } from "react";
import { Image, Linking, Modal, Pressable, View } from "react-native";
import { useSafeAreaInsets } from "react-native-safe-area-context";
import { formatBytes, isImage } from "./format";
import { Icon, Round } from "./icons";
import { useTexts } from "./texts";
import { Label, touch } from "./theme";

interface ShownFile {
  readonly file_id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Empty while it is uploaded. */
  readonly url: string;
}

interface AttachmentsProps {
  readonly files: readonly ShownFile[];
  readonly progress: number | undefined;
  readonly color: string;
}

/** The images and the files of a message. */
export function Attachments({ files, progress, color }: AttachmentsProps) {
  const texts = useTexts();
  const insets = useSafeAreaInsets();
  const [opened, setOpened] = useState<ShownFile>();
  return (
    <View style={{ gap: 4, marginBottom: 4 }}>
      {files.map((file) =>
        // The service keeps the files of attachments. One that is only referred to may be anywhere, and is not loaded.
        isImage(file) && file.file_id !== "" && file.url !== "" ? (
          <Pressable key={file.file_id} role="button" aria-label={file.name} onPress={() => setOpened(file)}>
            <Image
              source={{ uri: file.url }}
              style={{ width: 240, maxWidth: "100%", aspectRatio: 4 / 3, borderRadius: 12 }}
            />
          </Pressable>
        ) : (
          <Pressable
            key={file.file_id || file.name}
            role="link"
            disabled={!/^https?:/.test(file.url)}
            onPress={() => void Linking.openURL(file.url)}
            style={{ flexDirection: "row", alignItems: "center", gap: 10, minHeight: touch }}
          >
            <Icon name="file" color={color} />
            <View style={{ flexShrink: 1 }}>
              <Label size={15} isBold numberOfLines={1} color={color}>
                {file.name}
              </Label>
              <Label size={12} color={color}>
                {progress === undefined ? formatBytes(texts, file.size) : `${Math.round(progress * 100)} %`}
              </Label>
            </View>
          </Pressable>
        ),
      )}
      <Modal
        visible={opened !== undefined}
        transparent
        animationType="fade"
        onRequestClose={() => setOpened(undefined)}
      >
        <View style={{ flex: 1, paddingTop: insets.top, backgroundColor: "#000000" }}>
          <Round icon="close" label={texts.close} color="#ffffff" onPress={() => setOpened(undefined)} />
          {opened && (
            <Image
              aria-label={opened.name}
              source={{ uri: opened.url }}
              resizeMode="contain"
              style={{ flex: 1 }}
            />
          )}
        </View>
      </Modal>
    </View>
  );
}

import { useState } from "react";
import { formatBytes, isImage } from "./format";
import { Icon } from "./icons";
import { ImageViewer } from "./on-demand";
import { useTexts } from "./texts";

export interface ShownFile {
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
}

/** The images and the files of a message. */
export function Attachments({ files, progress }: AttachmentsProps) {
  const texts = useTexts();
  const [opened, setOpened] = useState<number>();
  const images = files.filter(isShownImage);
  const sent = progress === undefined ? [] : files.filter(isImage);
  const others = files.filter((file) => !images.includes(file) && !sent.includes(file));
  return (
    <>
      {images.length > 0 && (
        <div className="chat-images" data-count={Math.min(images.length, 4)}>
          {images.map(({ file_id: id, name, url }, index) => (
            <button key={id} type="button" onClick={() => setOpened(index)}>
              <img src={url} alt={name} loading="lazy" />
            </button>
          ))}
        </div>
      )}
      {sent.length > 0 && (
        <div className="chat-images" data-count={Math.min(sent.length, 4)}>
          {sent.map(({ name }) => (
            <span key={name}>
              <ProgressIcon progress={progress} />
            </span>
          ))}
        </div>
      )}
      {others.map((file) => (
        <File key={file.file_id || file.name} file={file} progress={progress} />
      ))}
      {opened !== undefined && (
        <ImageViewer images={images} first={opened} onClose={() => setOpened(undefined)} />
      )}
      {progress !== undefined && (
        <progress className="chat-hidden" max={1} value={progress} aria-label={texts.sending} />
      )}
    </>
  );
}

/** The service keeps the files of attachments. One that is only referred to may be anywhere, and is not loaded. */
export const isShownImage = (file: ShownFile): boolean =>
  isImage(file) && file.file_id !== "" && file.url !== "";

const ProgressIcon = ({ progress = 1 }: { progress: number | undefined }) => (
  <span className="chat-file-icon" style={{ "--progress": progress } as React.CSSProperties}>
    <Icon name="file" />
  </span>
);

function File({ file: { name, size, url }, progress }: { file: ShownFile; progress: number | undefined }) {
  const texts = useTexts();
  const content = (
    <>
      <ProgressIcon progress={progress} />
      <span className="chat-clip">{name}</span>
      <small>{progress === undefined ? formatBytes(texts, size) : `${Math.round(progress * 100)} %`}</small>
    </>
  );
  return /^https?:/.test(url) ? (
    <a className="chat-file" href={url} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  ) : (
    <span className="chat-file">{content}</span>
  );
}

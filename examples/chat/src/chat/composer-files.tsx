import { type DragEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { formatBytes, isImage } from "./format";
import { Icon } from "./icons";
import { useNotice } from "./notices";
import { useTexts } from "./texts";

const maxFiles = 10;

/** The files of the next message: those that are chosen, pasted, or dropped on the conversation. */
export function useFiles(dropped: readonly File[], onTaken: () => void) {
  const texts = useTexts();
  const notify = useNotice();
  const [files, setFiles] = useState<readonly File[]>([]);
  const addFiles = useCallback(
    (added: readonly File[]) =>
      setFiles((current) => {
        if (current.length + added.length > maxFiles) notify(texts.tooManyFiles);
        return [...current, ...added].slice(0, maxFiles);
      }),
    [notify, texts],
  );
  useEffect(() => {
    if (dropped.length === 0) return;
    addFiles(dropped);
    onTaken();
  }, [dropped, addFiles, onTaken]);
  return { files, setFiles, addFiles };
}

interface ComposerFilesProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** The files that go with the next message. */
export function ComposerFiles({ files, onChange }: ComposerFilesProps) {
  return files.length === 0 ? null : (
    <ul className="chat-staged">
      {files.map((file, index) => (
        <StagedFile
          key={`${file.name} ${index}`}
          file={file}
          onRemove={() => onChange(files.toSpliced(index, 1))}
        />
      ))}
    </ul>
  );
}

function StagedFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  const texts = useTexts();
  const url = useMemo(() => (isImage(file) ? URL.createObjectURL(file) : ""), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <li>
      {url === "" ? <Icon name="file" /> : <img src={url} alt="" />}
      <span className="chat-clip">{file.name}</span>
      <small className="chat-quiet">{formatBytes(texts, file.size)}</small>
      <button type="button" aria-label={texts.removeFile(file.name)} onClick={onRemove}>
        <Icon name="close" size={16} />
      </button>
    </li>
  );
}

interface DropZoneProps {
  readonly onDrop: (files: File[]) => void;
  readonly children: ReactNode;
}

/** A conversation, which takes files that are dropped on it. */
export function DropZone({ onDrop, children }: DropZoneProps) {
  const texts = useTexts();
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    <section
      className="chat-conversation"
      aria-label={texts.conversation}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onDrop([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && <p className="chat-drop">{texts.drop}</p>}
    </section>
  );
}

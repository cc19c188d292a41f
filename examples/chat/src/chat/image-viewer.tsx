import { useLayoutEffect, useRef, useState } from "react";
import type { ShownFile } from "./attachments";
import { Icon } from "./icons";
import { useTexts } from "./texts";

interface ImageViewerProps {
  readonly images: readonly ShownFile[];
  readonly first: number;
  readonly onClose: () => void;
}

/** The images of a message, one at a time, on the whole screen. */
export function ImageViewer({ images, first, onClose }: ImageViewerProps) {
  const texts = useTexts();
  const ref = useRef<HTMLDialogElement>(null);
  const [index, setIndex] = useState(first);
  const image = images[index];
  // Closed before it is removed, it gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const move = (step: number) => setIndex((index + step + images.length) % images.length);
  if (image === undefined) return null;
  return (
    <dialog
      ref={ref}
      className="chat-viewer"
      aria-label={image.name}
      onCancel={onClose}
      onClick={(event) => {
        event.stopPropagation();
        if (event.target === ref.current) onClose();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "ArrowLeft") move(-1);
        if (event.key === "ArrowRight") move(1);
      }}
    >
      <header>
        <span className="chat-clip" aria-hidden="true">
          {image.name}
          {images.length > 1 && ` · ${index + 1} / ${images.length}`}
        </span>
        <a href={image.url} target="_blank" rel="noreferrer noopener" aria-label={texts.open}>
          <Icon name="external" />
        </a>
        <button type="button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <img src={image.url} alt={image.name} />
      {images.length > 1 && (
        <>
          <button
            type="button"
            className="chat-previous"
            aria-label={texts.previous}
            onClick={() => move(-1)}
          >
            <Icon name="back" />
          </button>
          <button type="button" className="chat-next" aria-label={texts.next} onClick={() => move(1)}>
            <Icon name="next" />
          </button>
        </>
      )}
    </dialog>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import './files.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Accepts a file dropped anywhere on it. People who don't drag can use the file field. */
export function DropZone(props: {
  class: string;
  panel: string;
  /** Text while dragging; undefined accepts no file. */
  label: string | undefined;
  onFile: (file: File) => void;
  children: ComponentChildren;
}) {
  const [isOver, setOver] = useState(false);
  const { label } = props;
  return (
    <div
      class={props.class}
      data-panel={props.panel}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        // Otherwise the browser would open the file instead of the portal.
        event.preventDefault();
        if (label !== undefined) setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file && label !== undefined) props.onFile(file);
      }}
    >
      {props.children}
      {isOver && (
        <div class="drop-note" aria-hidden="true">
          {label}
        </div>
      )}
    </div>
  );
}

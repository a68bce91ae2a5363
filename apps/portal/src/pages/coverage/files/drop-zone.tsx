import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import './files.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes a file that is dropped anywhere on it. Beside it there is a file field, for who does not drag. */
export function DropZone(props: {
  class: string;
  panel: string;
  /** Says what a drop does; undefined takes none. */
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
        // Otherwise the browser opens the file in the place of the portal.
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

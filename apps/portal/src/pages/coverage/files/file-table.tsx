import type { ComponentChildren } from 'preact';

/** Rows of a file or about it, in a box that scrolls by itself. */
export function FileTable(props: { label: string; head: readonly ComponentChildren[]; rows: readonly (readonly ComponentChildren[])[] }) {
  return (
    <div class="file-table" tabIndex={0} role="region" aria-label={props.label}>
      <table>
        <thead>
          <tr>
            {props.head.map((title, index) => (
              <th key={index} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

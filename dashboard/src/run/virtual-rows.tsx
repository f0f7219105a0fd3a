import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';

export interface RowsHandle {
  scrollTo(index: number, align: 'start' | 'end'): void;
}

interface VirtualRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly label: string;
  readonly className: string;
  /** Before it was measured. */
  readonly rowHeight: number;
  keyOf(row: Row): string | number;
  children(row: Row, index: number): ReactNode;
  readonly handle?: Ref<RowsHandle>;
}

/** A long list of which only what is seen is drawn. Rows may have any height. */
export function VirtualRows<Row>({
  rows,
  label,
  className,
  rowHeight,
  keyOf,
  children,
  handle,
}: VirtualRowsProps<Row>) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const box = list.current?.getBoundingClientRect();
      if (box !== undefined) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    // What is above stays under a sticky header otherwise.
    scrollPaddingStart: 120,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  useImperativeHandle(handle, () => ({
    scrollTo: (index, align) => virtual.scrollToIndex(index, { align }),
  }));
  return (
    <ol
      ref={list}
      className={`virtual ${className}`}
      aria-label={label}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        return row === undefined ? null : (
          <li
            key={String(key)}
            ref={virtual.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {children(row, index)}
          </li>
        );
      })}
    </ol>
  );
}

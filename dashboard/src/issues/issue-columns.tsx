import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { IssueCard } from '../../../src/contract/tracker-issues.ts';
import { followHere } from '../place/use-place.ts';
import { type ColumnView, cardBeside, stateBeside } from './derive-columns.ts';

interface IssueColumnsProps {
  readonly columns: readonly ColumnView[];
  readonly mayMove: boolean;
  /** The address that opens an issue. */
  addressOf(id: string): string;
  onMove(card: IssueCard, to: string): void;
}

/** The states side by side. A card is moved by dragging it, by Shift and an arrow key, or in its form. */
export function IssueColumns({ columns, mayMove, addressOf, onMove }: IssueColumnsProps) {
  const dragging = useDragging(onMove);
  const onKey = useCardKeys(columns, mayMove, onMove);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className="issue-columns" aria-label="Issues by state" tabIndex={0}>
      {columns.map((column) => (
        <Column
          key={column.name}
          column={column}
          isOver={dragging.over === column.name}
          onDragOver={(event) => dragging.enter(event, column.name)}
          onDrop={(event) => dragging.drop(event, column.name)}
        >
          {column.cards.map((card) => (
            <li key={card.id}>
              <Card
                card={card}
                address={addressOf(card.id)}
                draggable={mayMove}
                onKeyDown={(event) => onKey(event, card)}
                onDragStart={(event) => dragging.begin(event, card)}
                onDragEnd={dragging.end}
              />
            </li>
          ))}
        </Column>
      ))}
    </section>
  );
}

type Move = IssueColumnsProps['onMove'];

/** What is dragged, and over which column. */
function useDragging(onMove: Move) {
  const dragged = useRef<IssueCard | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = (): void => {
    dragged.current = null;
    setOver(null);
  };
  return {
    over,
    end,
    begin(event: DragEvent, card: IssueCard): void {
      event.dataTransfer.setData('text/plain', card.identifier);
      event.dataTransfer.effectAllowed = 'move';
      dragged.current = card;
    },
    enter(event: DragEvent, state: string): void {
      if (dragged.current === null) return;
      event.preventDefault();
      setOver(state);
    },
    drop(event: DragEvent, to: string): void {
      event.preventDefault();
      const card = dragged.current;
      end();
      if (card !== null && card.state !== to) onMove(card, to);
    },
  };
}

/** Arrows go from card to card; with Shift the card goes along. */
function useCardKeys(columns: readonly ColumnView[], mayMove: boolean, onMove: Move) {
  const focusNext = useRef<string | null>(null);
  // A card that changes its column is another element there.
  useEffect(() => {
    if (focusNext.current === null) return;
    focusCard(focusNext.current);
    focusNext.current = null;
  });
  return (event: KeyboardEvent, card: IssueCard): void => {
    if (!event.key.startsWith('Arrow') || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!event.shiftKey) {
      focusCard(cardBeside(columns, card.id, event.key));
      return;
    }
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const to = step === 0 || !mayMove ? null : stateBeside(columns, card.state, step);
    if (to === null) return;
    focusNext.current = card.id;
    onMove(card, to);
  };
}

function focusCard(id: string | null): void {
  if (id === null) return;
  const card = document.querySelector<HTMLElement>(`[data-issue=${CSS.escape(id)}]`);
  card?.focus();
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

interface ColumnProps {
  readonly column: ColumnView;
  readonly isOver: boolean;
  readonly children: React.ReactNode;
  onDragOver(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

function Column({ column: { name, kind, cards }, isOver, children, onDragOver, onDrop }: ColumnProps) {
  const classes = ['issue-column', `issue-column-${kind}`];
  if (isOver) classes.push('issue-column-over');
  if (cards.length === 0) classes.push('issue-column-empty');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging has other ways beside it, by key and by form.
    <div
      className={classes.join(' ')}
      data-state={name}
      onDragEnter={onDragOver}
      onDragOver={onDragOver}
      onDrop={onDrop}
    >
      <h3>
        <bdi>{name}</bdi> <span className="section-count">{cards.length}</span>
      </h3>
      <ul>{children}</ul>
    </div>
  );
}

interface CardProps extends Pick<React.ComponentProps<'a'>, 'onKeyDown' | 'onDragStart' | 'onDragEnd'> {
  readonly card: IssueCard;
  readonly address: string;
  readonly draggable: boolean;
}

function Card({ card, address, ...handlers }: CardProps) {
  const { priority, labels, comments, assignee, held_by: held } = card;
  return (
    <a
      className="issue-card"
      href={address}
      onClick={followHere}
      data-issue={card.id}
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
      {...handlers}
    >
      <span className="issue-card-id">
        {card.identifier}
        {priority !== null && <span className="issue-card-priority">priority {priority}</span>}
      </span>
      <bdi className="issue-card-title">{card.title}</bdi>
      {held !== null && <span className="issue-card-held">{held}</span>}
      {(labels.length > 0 || comments > 0 || assignee !== null) && (
        <span className="issue-card-facts">
          {labels.map((label) => (
            <span key={label} className="chip">
              {label}
            </span>
          ))}
          {assignee !== null && <bdi>{assignee}</bdi>}
          {comments > 0 && <span>{comments === 1 ? '1 comment' : `${comments} comments`}</span>}
        </span>
      )}
    </a>
  );
}

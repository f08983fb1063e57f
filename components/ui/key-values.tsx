import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

/** Words and their values, aligned: `<KeyValues><KeyValue label="Driver">…</KeyValue></KeyValues>`. */
export const KeyValues = ({ children, className }: { children: ReactNode; className?: string }) => (
  <dl className={classNames('grid grid-cols-[minmax(96px,auto)_1fr] gap-x-4 gap-y-1', className)}>
    {children}
  </dl>
)

export const KeyValue = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-ink2">{label}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
)

/** What could not be read: a dash with the reason, never a zero. */
export const Unknown = ({ reason }: { reason: string | null }) => (
  <span className="text-ink3" {...(reason === null ? {} : { title: reason })}>
    –<span className="sr-only"> unknown{reason === null ? '' : `: ${reason}`}</span>
  </span>
)

/** A value; null: unknown, with the reason. */
export const orUnknown = (value: string | number | null, reason: string | null): ReactNode =>
  value === null ? <Unknown reason={reason} /> : value

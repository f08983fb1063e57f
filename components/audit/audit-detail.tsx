import type { AuditEntryDto } from '@/lib/schemas/api/audit'

const asLines = (value: unknown): string =>
  value === null || value === undefined ? 'nothing' : JSON.stringify(value, null, 2)

const Side = ({ title, value }: { title: string; value: unknown }) => (
  <div className="min-w-0">
    <p className="font-[550] text-ink2 text-small">{title}</p>
    <pre className="whitespace-pre-wrap font-mono text-small wrap-anywhere">{asLines(value)}</pre>
  </div>
)

/** What an entry changed. */
export const AuditDetail = ({ before, after, hash }: AuditEntryDto) => (
  <>
    <div className="grid grid-cols-1 gap-3 py-1 sm:grid-cols-2">
      <Side title="Before" value={before} />
      <Side title="After" value={after} />
    </div>
    <p className="pb-1 text-ink3 text-small">
      Hash <code className="font-mono wrap-anywhere">{hash}</code>
    </p>
  </>
)

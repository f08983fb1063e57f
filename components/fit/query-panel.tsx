import type { ReactNode } from 'react'
import { CopyButton } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'
import type { FitReportDto } from '@/lib/schemas/api/fit'

/** The literal call, broken where a reader breaks it. */
const lines = (query: string): string => query.replaceAll('?', '?\u200b').replaceAll('&', '\u200b&')

/** The literal query to Placement, and what Nova leaves out of it. */
export const QueryPanel = ({ fit, children }: { fit: FitReportDto; children?: ReactNode }) => (
  <Panel
    title={fit.query.includes('\n') ? 'Placement’s queries' : 'Placement’s query'}
    actions={<CopyButton text={fit.query} label="Copy the query" />}
  >
    <code className="block whitespace-pre-line break-words font-mono text-small [overflow-wrap:anywhere]">
      {lines(fit.query)}
    </code>
    {fit.ignored.length === 0 ? null : (
      <>
        <p className="mt-2 text-small text-warn">Not sent by Nova:</p>
        <ul>
          {fit.ignored.map(({ key, value, because }) => (
            <li key={key} className="text-small">
              <code className="break-all font-mono">
                {key}={value}
              </code>{' '}
              <span className="text-ink2">{because}</span>
            </li>
          ))}
        </ul>
      </>
    )}
    {children}
  </Panel>
)

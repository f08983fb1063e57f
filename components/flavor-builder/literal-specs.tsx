import { CopyButton } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'

/** The literal extra specs, as Nova gets them. */
export const LiteralSpecs = ({ specs }: { specs: Readonly<Record<string, string>> }) => {
  const lines = Object.entries(specs).map(([key, value]) => `${key}=${value}`)
  return (
    <Panel
      title="Extra specs"
      note="to the letter"
      actions={
        lines.length === 0 ? undefined : <CopyButton text={lines.join('\n')} label="Copy the extra specs" />
      }
    >
      {lines.length === 0 ? (
        <p className="text-ink3">none: servers of this flavor get no GPU</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line} className="font-mono text-small wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

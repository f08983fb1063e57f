import Link from 'next/link'
import { buttonStyle } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'

/** What to do next, and the literal command for it. The console does not run it. */
export const NextStepPanel = ({
  nextStep,
  command,
  planPath,
}: {
  nextStep: string
  command: string | null
  /** Where a change that repairs it is prepared; null where there is none. */
  planPath: string | null
}) => (
  <Panel
    title="Next step"
    actions={
      planPath === null ? undefined : (
        <Link href={planPath} className={buttonStyle({ size: 'small' })}>
          Tag with traits
        </Link>
      )
    }
  >
    <p>{nextStep}</p>
    {command === null ? null : (
      <div className="mt-2 flex items-start gap-1 rounded-control border border-line bg-bg py-1.5 pr-1.5 pl-3">
        <pre className="m-0 min-w-0 flex-1 whitespace-pre-wrap font-mono text-small wrap-anywhere">
          {command}
        </pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
    )}
  </Panel>
)

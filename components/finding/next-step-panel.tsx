import Link from 'next/link'
import { buttonStyle } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
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
    {command === null ? null : <CommandLine command={command} />}
  </Panel>
)

import { PlanLink } from '@/components/change/plan-link'
import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'

/** What to do next, and the literal command for it. The console does not run it. */
export const NextStepPanel = ({
  nextStep,
  command,
  repair,
  because,
}: {
  nextStep: string
  command: string | null
  /** The page that prepares the repair as a change, and the label of its button; null if there is none. */
  repair: { path: string; words: string } | null
  /** Why that can’t be planned now; null: it can. */
  because: string | null
}) => (
  <Panel
    title="Next step"
    actions={
      repair === null ? undefined : (
        <PlanLink href={repair.path} size="small" because={because}>
          {repair.words}
        </PlanLink>
      )
    }
  >
    <p>{nextStep}</p>
    {repair === null || because === null ? null : <p className="mt-1 text-ink2">{because}</p>}
    {command === null ? null : <CommandLine command={command} />}
  </Panel>
)

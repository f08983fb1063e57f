import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'

/** What to do next, and the literal command for it. The console does not run it. */
export const NextStepPanel = ({ nextStep, command }: { nextStep: string; command: string | null }) => (
  <Panel title="Next step">
    <p>{nextStep}</p>
    {command === null ? null : <CommandLine command={command} />}
  </Panel>
)

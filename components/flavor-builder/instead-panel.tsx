import { CopyButton } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'
import { Tabs } from '@/components/ui/tabs'
import type { ChangePlan, PreviewOf } from '@/lib/schemas/api/change'

const Text = ({ text, label }: { text: string; label: string }) => (
  <div className="flex items-start gap-1">
    <pre className="m-0 min-w-0 flex-1 whitespace-pre-wrap rounded-control border border-line bg-bg px-3 py-1.5 font-mono text-small wrap-anywhere">
      {text}
    </pre>
    <CopyButton text={text} label={`Copy ${label}`} />
  </div>
)

/** The same by other means, for who would rather not have the console do it. */
export const InsteadPanel = ({
  plan: { steps, stepCount, preview },
}: {
  plan: Pick<ChangePlan, 'steps' | 'stepCount'> & { preview: PreviewOf<'flavor'> }
}) => {
  const commands = steps.map(({ command }) => command).join('\n')
  const terraform = preview.flavorChange.terraform
  if (steps.length === 0) return null
  return (
    <Panel title="Instead, by yourself" note="the console need not do it">
      <Tabs
        label="Way"
        tabs={[
          {
            value: 'openstack',
            label: 'openstack',
            content:
              steps.length === stepCount ? (
                <Text text={commands} label="the commands" />
              ) : (
                <p className="text-ink2">Save the plan to download all commands as a runbook.</p>
              ),
          },
          ...(terraform === null
            ? []
            : [
                {
                  value: 'terraform',
                  label: 'Terraform',
                  content: <Text text={terraform.trimEnd()} label="the Terraform resources" />,
                },
              ]),
        ]}
      />
    </Panel>
  )
}

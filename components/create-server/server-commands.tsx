'use client'

import { Tabs } from '@/components/ui/tabs'
import {
  heatTemplate,
  openstackCommand,
  type ServerSpec,
  terraformServer,
} from '@/lib/domain/create-server/server-texts'

const FORMS = [
  { value: 'cli', label: 'openstack', render: openstackCommand },
  { value: 'terraform', label: 'Terraform', render: terraformServer },
  { value: 'heat', label: 'Heat', render: heatTemplate },
] as const

export type CommandForm = (typeof FORMS)[number]['value']

const isForm = (value: string): value is CommandForm => FORMS.some((form) => form.value === value)

export const commandText = (form: CommandForm, spec: ServerSpec): string =>
  FORMS.find(({ value }) => value === form)?.render(spec) ?? ''

/** The server as a command, for Terraform and for Heat. */
export const ServerCommands = ({
  spec,
  chosen,
  onChoose,
}: {
  spec: ServerSpec
  chosen: CommandForm
  onChoose: (form: CommandForm) => void
}) => (
  <Tabs
    label="Ways to create the server"
    chosen={{ value: chosen, set: (value) => isForm(value) && onChoose(value) }}
    tabs={FORMS.map(({ value, label, render }) => ({
      value,
      label,
      content: (
        <pre className="m-0 min-h-[122px] whitespace-pre-wrap rounded-control border border-line bg-bg px-3 py-2 font-mono text-small wrap-anywhere">
          {render(spec)}
        </pre>
      ),
    }))}
  />
)

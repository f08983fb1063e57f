'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { QueryProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { described, Field, Textarea } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { apiAliasOptions, forgetAliasesOptions, setAliasesOptions } from '@/lib/api/api-aliases'
import { actorLabel } from '@/lib/domain/wording'
import type { ApiAliasList } from '@/lib/schemas/api/api-alias'

type Scope = { cloud: string | null }

const Aliases = ({ hosts }: Pick<ApiAliasList, 'hosts'>) =>
  hosts.length === 0 ? null : (
    <SideScroll>
      <Table>
        <thead>
          <tr>
            <Th>Reported by</Th>
            <Th>Alias</Th>
            <Th>Device</Th>
          </tr>
        </thead>
        <tbody>
          {hosts.flatMap(({ host, aliases }) =>
            (aliases.length === 0 ? [null] : aliases).map((alias) => (
              <Tr key={`${host} ${alias?.name ?? ''} ${alias?.means ?? ''}`}>
                <Td className="align-top">{host}</Td>
                <Td className="align-top font-mono text-small">
                  {alias?.name ?? <span className="font-sans text-ink2">none</span>}
                </Td>
                <Td className="align-top font-mono text-small">{alias?.means ?? ''}</Td>
              </Tr>
            )),
          )}
        </tbody>
      </Table>
    </SideScroll>
  )

const EXAMPLE =
  '[pci]\nalias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024", "device_type": "type-PCI"}'

const AliasForm = ({ cloud, configured }: Scope & { configured: ApiAliasList['entered'] }) => {
  const [text, setText] = useState(configured?.text ?? '')
  const save = useMutation(setAliasesOptions({ cloud }))
  const refusal = useRefusal('api-alias.set')
  const problem = save.error?.message
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ text }, { onSuccess: () => toast.done('The aliases are saved.') })
  }
  return (
    <form onSubmit={submit} noValidate className="mt-3 flex flex-col gap-2">
      <Field
        id="api-aliases"
        label="[pci] section of nova.conf on nova-api hosts"
        help="Must be the same on every nova-api host. Enter only [pci] if no alias is configured."
        error={problem}
      >
        <Textarea
          rows={4}
          value={text}
          placeholder={EXAMPLE}
          onChange={(event) => setText(event.target.value)}
          {...described('api-aliases', problem)}
        />
      </Field>
      <div>
        {refusal === null ? (
          <Button type="submit" variant="main" isUnavailable={save.isPending}>
            {save.isPending ? 'Saving' : 'Save aliases'}
          </Button>
        ) : (
          <Tooltip content={refusal}>
            <Button variant="main" isUnavailable>
              Save aliases
            </Button>
          </Tooltip>
        )}
      </div>
    </form>
  )
}

const ConfiguredAliases = ({
  cloud,
  configured,
}: Scope & { configured: NonNullable<ApiAliasList['entered']> }) => {
  const forget = useMutation(forgetAliasesOptions({ cloud }))
  const refusal = useRefusal('api-alias.set')
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="text-ink2 text-small">
        Entered by {actorLabel(configured.by)}, <Moment at={configured.at} />
      </p>
      <ConfirmButton
        label="Delete"
        accessibleLabel="Delete the entered aliases"
        title="Delete the entered aliases?"
        confirmLabel="Delete aliases"
        onConfirm={async () => {
          await forget.mutateAsync()
          toast.done('The entered aliases are deleted.')
        }}
        refusal={refusal}
      >
        Findings about aliases then cannot be verified, unless an agent on a nova-api host reports the
        aliases.
      </ConfirmButton>
    </div>
  )
}

const Body = ({ cloud, list }: Scope & { list: ApiAliasList }) => (
  <>
    <Aliases hosts={list.hosts} />
    {list.because === null ? (
      list.entered === null ? null : (
        <p className="mt-2 text-ink2">
          Agents on nova-api hosts report the aliases, so the entered aliases are not used.
        </p>
      )
    ) : (
      <>
        <p className="mt-2 mb-1">
          The agents do not report the aliases: {list.because}. To show the lines, run this command on a
          controller. If nova-api runs in a container, run it on the nova.conf of the container:
        </p>
        <CommandLine command={list.check} />
        <AliasForm key={list.entered?.at} cloud={cloud} configured={list.entered} />
      </>
    )}
    {list.entered === null ? null : <ConfiguredAliases cloud={cloud} configured={list.entered} />}
  </>
)

/** PCI aliases of Nova's API: by its agents, or as an admin pasted them. */
export const ApiAliasesPanel = ({ cloud }: Scope) => {
  const query = useQuery(apiAliasOptions({ cloud }))
  const { data } = query
  return (
    <Panel title="PCI aliases of Nova’s API" note="names that flavors use in pci_passthrough:alias">
      <QueryProblem
        query={query}
        title="The aliases could not be loaded"
        titleOfOld="The aliases could not be refreshed"
      />
      {data === undefined ? (
        query.isPending ? (
          <p className="text-ink2">Loading.</p>
        ) : null
      ) : (
        <Body cloud={cloud} list={data} />
      )}
    </Panel>
  )
}

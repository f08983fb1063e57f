'use client'

import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { CommandLine } from '@/components/ui/command-line'
import { toast } from '@/components/ui/toast-store'
import { removeHostsOptions } from '@/lib/api/host-removal'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { ReasonDialog } from './reason-dialog'

const Consequences = ({ hosts }: { hosts: readonly string[] }) => (
  <>
    <ul className="list-disc space-y-1 pl-4">
      <li>
        {hosts.length === 1 ? hosts[0] : 'The hosts'} and the GPUs there disappear from lists, totals, metrics
        and alerts.
      </li>
      <li>The history ends today. Charts of the past and frozen reviews do not change.</li>
      <li>Open findings are resolved. Managed traits are no longer managed.</li>
      <li>The agent’s credential is revoked. To report again, the host needs an admin’s approval.</li>
    </ul>
    <div>
      <p className="text-ink2 text-small">
        Nova and Placement are not changed. If the host is still registered there, delete its service, which
        also deletes its resource providers:
      </p>
      <CommandLine
        command={joinEncoded(
          hosts
            .slice(0, 3)
            .map(
              (host) =>
                sh`openstack compute service delete $(openstack compute service list --service nova-compute --host ${shellWord(host)} -f value -c ID)`,
            ),
          '\n',
        )}
      />
      <p className="mt-1 text-ink2 text-small">
        If a resource provider is left over, find it with <code>openstack resource provider list</code> and
        delete it with <code>openstack resource provider delete</code>, child providers first.
      </p>
    </div>
  </>
)

/** Removes hosts after a confirmation that names the consequences. */
export const RemoveHostsButton = ({
  hosts,
  isReporting = false,
  label,
  children,
  onRemoved,
}: {
  hosts: readonly string[]
  /** The host is removed only after an extra confirmation. */
  isReporting?: boolean
  label: string
  /** Above the consequences, such as a choice of hosts. */
  children?: ReactNode
  onRemoved?: () => void
}) => {
  const { cloud } = useCloud()
  const remove = useMutation(removeHostsOptions({ cloud }))
  const refusal = useRefusal('host.remove')
  const [force, setForce] = useState(false)
  const confirm = async (reason: string) => {
    await remove.mutateAsync({ hosts, reason, force: isReporting && force })
    toast.done(
      hosts.length === 1 ? `${hosts[0]} is removed.` : `${formatNoun(hosts.length, 'host')} are removed.`,
    )
    onRemoved?.()
  }
  const what = hosts.length === 1 ? hosts[0] : formatNoun(hosts.length, 'host')
  return (
    <ReasonDialog
      label={label}
      title={`Remove ${what}?`}
      confirmLabel={hosts.length === 1 ? 'Remove host' : 'Remove hosts'}
      refusal={refusal}
      missing={
        hosts.length === 0
          ? 'Select at least one host.'
          : isReporting && !force
            ? 'The host still reports: stop the agent first, or confirm above.'
            : null
      }
      onConfirm={confirm}
    >
      {children}
      <Consequences hosts={hosts} />
      {isReporting ? (
        <label className="flex items-start gap-2">
          <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
          <span>Remove the host although its agent still reports</span>
        </label>
      ) : null}
    </ReasonDialog>
  )
}

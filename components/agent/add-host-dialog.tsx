'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { QueryProblem } from '@/components/shell/load-problem'
import { Button } from '@/components/ui/button'
import { CopyLine } from '@/components/ui/copyable'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { described, Field, Input, Select } from '@/components/ui/input'
import { agentSettingsOptions, createJoinTokenOptions } from '@/lib/api/agents'
import type { CreateJoinToken } from '@/lib/schemas/api/agent-inputs'
import type { AgentSettings, CreatedJoinToken } from '@/lib/schemas/api/agents'
import { hostPath } from '@/lib/util/paths'

/** Hosts that enrolled after the token was made, newest first. */
const joinedSince = (settings: AgentSettings, token: CreatedJoinToken) =>
  settings.agents
    .filter((agent) => agent.enrolledAt >= token.createdAt && agent.state !== 'revoked')
    .filter((agent) => token.hostName === null || agent.host === token.hostName)
    .toSorted((a, b) => b.enrolledAt.localeCompare(a.enrolledAt))

const JoinProgress = ({ token, cloud }: { token: CreatedJoinToken; cloud: string | null }) => {
  const query = useQuery({ ...agentSettingsOptions({ cloud }), refetchInterval: 2000 })
  const { data } = query
  const joined = data === undefined ? [] : joinedSince(data, token)
  const waiting =
    data?.enrollmentRequests.filter(
      ({ joinTokenId, state }) => joinTokenId === token.id && state === 'waiting',
    ) ?? []
  return (
    <>
      <QueryProblem
        query={query}
        title="The join status could not be loaded"
        titleOfOld="The join status could not be refreshed"
      />
      <div role="status" className="rounded-control border border-line bg-bg px-3 py-2">
        {waiting.map(({ id, host, code }) => (
          <p key={id}>
            <b className="font-semibold">{host}</b> is waiting for approval (request {code}). Close this
            dialog to approve or decline it.
          </p>
        ))}
        {joined.length === 0 && waiting.length === 0 ? (
          <p className="text-ink2">
            Waiting for the first report. It arrives a few seconds after the command has run.
          </p>
        ) : (
          <ul className="flex flex-col gap-0.5">
            {joined.slice(0, 6).map((agent) => (
              <li key={agent.credentialId}>
                {agent.state === 'never-reported' ? (
                  <span>
                    <b className="font-semibold">{agent.host}</b> has joined, no report yet
                  </span>
                ) : (
                  <span>
                    <Link
                      href={hostPath({ cloud, host: agent.host })}
                      className="font-semibold text-accent-ink underline"
                    >
                      {agent.host}
                    </Link>{' '}
                    reports
                  </span>
                )}
              </li>
            ))}
            {joined.length > 6 ? <li className="text-ink2">and {joined.length - 6} more</li> : null}
          </ul>
        )}
      </div>
    </>
  )
}

const TOKEN_FILE = '/root/sliceboard-join-token'

/** Without a terminal there is no prompt, so the token comes from a file. */
const Automation = ({ command }: { command: string }) => (
  <details className="text-ink2 text-small">
    <summary className="cursor-pointer text-ink">Install with Ansible, cloud-init or a script</summary>
    <ol className="mt-1 flex list-decimal flex-col gap-0.5 pl-4">
      <li>
        Write the token to a file that only root can read, for example <code>{TOKEN_FILE}</code> with mode
        0600.
      </li>
      <li>
        Run{' '}
        <code>
          {command.includes(' -s -- ') ? command : `${command} -s --`} --token-file {TOKEN_FILE}
        </code>
        .
      </li>
      <li>Delete the file. The installer has stored the token for the agent.</li>
    </ol>
  </details>
)

/** The command and the token, apart from each other: a token in a command is in the shell's history and in the process list. */
const CreatedJoinTokenPanel = ({ token, cloud }: { token: CreatedJoinToken; cloud: string | null }) => (
  <div className="flex flex-col gap-3">
    <p>1. Run this command on each compute host, as a user who may use sudo:</p>
    <CopyLine text={token.installCommand} label="Copy the install command" takesFocus />
    <p>2. Paste the join token when the installer prompts for it. It is not shown while you paste it.</p>
    <CopyLine text={token.token} label="Copy the join token" />
    <p className="text-ink2 text-small">
      The join token is not shown again. Treat it like a password.{' '}
      {token.hostName === null
        ? 'It enrolls new hosts. To replace the credential of a host that is already enrolled, an admin must approve the request.'
        : `It enrolls ${token.hostName} and replaces its current credential.`}{' '}
      It is valid until it expires, has been used {token.maxUses} {token.maxUses === 1 ? 'time' : 'times'}, or
      is revoked.
    </p>
    <Automation command={token.installCommand} />
    <details className="text-ink2 text-small">
      <summary className="cursor-pointer text-ink">What the command does</summary>
      <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-4">
        <li>It downloads the agent from this console and checks its SHA-256 before it installs anything.</li>
        <li>
          It installs one file, <code>/etc/sliceboard/agent.toml</code> (an existing one is kept) and a
          systemd unit.
        </li>
        <li>
          The agent exchanges the token for a credential of this host. Only root can read the credential.
        </li>
        <li>
          To read the script first, leave out <code>| sudo sh …</code>. To remove the agent, run it with{' '}
          <code>--uninstall</code>. Running it twice is safe.
        </li>
      </ul>
    </details>
    <JoinProgress token={token} cloud={cloud} />
  </div>
)

const lifetimes = [
  { minutes: 30, label: '30 minutes' },
  { minutes: 120, label: '2 hours' },
  { minutes: 1440, label: '1 day' },
  { minutes: 10_080, label: '7 days' },
]

const fields = ['label', 'lifetimeMinutes', 'maxUses', 'hostName'] as const
type FieldName = (typeof fields)[number]

/** What the new hosts are, how long and how often the token works, and whether it is bound to one host. */
const JoinTokenForm = ({
  cloud,
  onCreated,
}: {
  cloud: string
  onCreated: (token: CreatedJoinToken) => void
}) => {
  const form = useForm<CreateJoinToken>({
    defaultValues: { cloud, label: 'GPU hosts', lifetimeMinutes: 120, maxUses: 10, hostName: null },
  })
  const create = useMutation(createJoinTokenOptions())
  const { errors } = form.formState
  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: onCreated,
      onError: (err) => showServerError(form, fields, err),
    }),
  )
  const props = (name: FieldName) => described(`join-${name}`, errors[name]?.message)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field
        id="join-label"
        label="Label"
        help="Shown in the list and in the audit log."
        error={errors.label?.message}
      >
        <Input {...form.register('label')} {...props('label')} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field
          id="join-lifetimeMinutes"
          label="Valid for"
          help="Enrolled hosts stay enrolled."
          error={errors.lifetimeMinutes?.message}
        >
          <Select
            {...form.register('lifetimeMinutes', { valueAsNumber: true })}
            {...props('lifetimeMinutes')}
          >
            {lifetimes.map(({ minutes, label }) => (
              <option key={minutes} value={minutes}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="join-maxUses" label="Maximum hosts" help="1 to 10,000." error={errors.maxUses?.message}>
          <Input
            type="number"
            min={1}
            max={10_000}
            inputMode="numeric"
            {...form.register('maxUses', { valueAsNumber: true })}
            {...props('maxUses')}
          />
        </Field>
      </div>
      <Field
        id="join-hostName"
        label="Only this host (optional)"
        help="Leave blank for any new host. Enter the name that nova-compute uses to replace the credential of that host."
        error={errors.hostName?.message}
      >
        <Input
          {...form.register('hostName', { setValueAs: (text: string | null) => text?.trim() || null })}
          {...props('hostName')}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-small"
        />
      </Field>
      <FormFoot
        error={errors.root?.message}
        isPending={create.isPending}
        label="Create join token"
        pendingLabel="Creating the token"
      />
    </form>
  )
}

/** Add host: a join token and the line that uses it. */
export const AddHostDialog = ({ cloud }: { cloud: string }) => {
  const [created, setCreated] = useState<CreatedJoinToken | null>(null)
  return (
    <Dialog onOpenChange={(isOpen) => isOpen && setCreated(null)}>
      <DialogTrigger asChild>
        <Button variant="main">
          <Plus size={14} aria-hidden />
          Add host
        </Button>
      </DialogTrigger>
      <DialogContent
        width={created === null ? 'normal' : 'wide'}
        title={created === null ? `Add hosts to ${cloud}` : 'Install the agent'}
        description={created === null ? 'Creates a join token and shows the install command.' : null}
      >
        {created === null ? (
          <JoinTokenForm cloud={cloud} onCreated={setCreated} />
        ) : (
          <>
            <CreatedJoinTokenPanel token={created} cloud={cloud} />
            <div className="mt-3 flex justify-end">
              <DialogClose asChild>
                <Button>Done</Button>
              </DialogClose>
            </div>
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}

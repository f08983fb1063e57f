'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FormFoot } from '@/components/form/form-foot'
import { Moment } from '@/components/shell/moment'
import { TimeZoneNote } from '@/components/shell/time-zone-note'
import { currentZone } from '@/components/shell/time-zone-store'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { described, Field, Input } from '@/components/ui/input'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { approveChangeOptions, setTermsOptions } from '@/lib/api/changes'
import { accountOptions } from '@/lib/api/session'
import { whyNotApprove } from '@/lib/domain/plans/change-terms'
import { actorLabel } from '@/lib/domain/wording'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { isBound, localMoment, momentOf } from './terms-labels'

type Entries = { needsApproval: boolean; from: string; until: string; batchHosts: string }

const entriesOf = ({ needsApproval, window, batchHosts }: ChangeDetail): Entries => ({
  needsApproval,
  from: localMoment(window?.from ?? null, currentZone()),
  until: localMoment(window?.until ?? null, currentZone()),
  batchHosts: batchHosts === null ? '' : String(batchHosts),
})

/** Both ends, or none. */
const windowOf = ({ from, until }: Entries) => {
  const [begins, ends] = [momentOf(from, currentZone()), momentOf(until, currentZone())]
  return begins === null || ends === null ? null : { from: begins, until: ends }
}

const TermsForm = ({ change, onDone }: { change: ChangeDetail; onDone: () => void }) => {
  const [entries, setEntries] = useState(() => entriesOf(change))
  const [halfWindow, setHalfWindow] = useState<string>()
  const set = useMutation(setTermsOptions({ id: change.id }))
  const enter = (part: Partial<Entries>) => setEntries({ ...entries, ...part })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isHalf = (entries.from === '') !== (entries.until === '')
    setHalfWindow(isHalf ? 'Enter both times of the window, or neither.' : undefined)
    if (isHalf) return
    const batchHosts = entries.batchHosts === '' ? null : Number(entries.batchHosts)
    set.mutate(
      {
        version: change.version,
        needsApproval: entries.needsApproval,
        window: windowOf(entries),
        batchHosts,
      },
      { onSuccess: onDone },
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <label htmlFor="terms-approval" className="flex items-start gap-2">
        <input
          id="terms-approval"
          type="checkbox"
          className="mt-0.5"
          checked={entries.needsApproval}
          onChange={(event) => enter({ needsApproval: event.target.checked })}
        />
        <span>
          Require approval by a second person
          <span className="block text-ink3 text-small">
            Any admin except {actorLabel(change.madeBy)}, who planned the change.
          </span>
        </span>
      </label>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Field id="terms-from" label="Not before">
          <Input
            id="terms-from"
            type="datetime-local"
            value={entries.from}
            onChange={(event) => enter({ from: event.target.value })}
          />
        </Field>
        <Field id="terms-until" label="Not after" error={halfWindow}>
          <Input
            {...described('terms-until', halfWindow)}
            type="datetime-local"
            value={entries.until}
            onChange={(event) => enter({ until: event.target.value })}
          />
        </Field>
      </div>
      <TimeZoneNote />
      <Field
        id="terms-batch"
        label="Pause after N hosts"
        help="Use a small number to review the first hosts. Leave blank to run without pauses."
      >
        <Input
          {...described('terms-batch')}
          type="number"
          min={1}
          max={1000}
          inputMode="numeric"
          className="max-w-28"
          value={entries.batchHosts}
          onChange={(event) => enter({ batchHosts: event.target.value })}
        />
      </Field>
      <FormFoot
        error={set.error?.message}
        isPending={set.isPending}
        label="Save policy"
        pendingLabel="Saving"
      />
    </form>
  )
}

/** Edits the terms of the change; this withdraws an existing approval. */
const TermsDialog = ({ change }: { change: ChangeDetail }) => {
  const [isOpen, setIsOpen] = useState(false)
  const refusal = useRefusal('change.plan')
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <Tooltip content={refusal}>
        <DialogTrigger asChild>
          <Button size="small" isUnavailable={refusal !== null}>
            Edit policy
          </Button>
        </DialogTrigger>
      </Tooltip>
      <DialogContent
        title={`Policy of change ${change.id}`}
        description={
          change.approvedBy === null
            ? 'The policy does not apply to a rollback.'
            : 'Changing the policy revokes the approval.'
        }
      >
        <TermsForm change={change} onDone={() => setIsOpen(false)} />
      </DialogContent>
    </Dialog>
  )
}

const ApproveButton = ({ change }: { change: ChangeDetail }) => {
  const refusal = useRefusal('change.approve')
  const account = useQuery(accountOptions()).data
  const approve = useMutation(approveChangeOptions({ id: change.id }))
  const who =
    account === undefined
      ? ''
      : `user:${account.domain === null ? account.user : `${account.user}@${account.domain}`}`
  const why = refusal ?? whyNotApprove(change, who)
  const run = () => {
    approve.mutate(
      { version: change.version },
      { onError: (err) => toast.error('The change was not approved.', err.message) },
    )
  }
  return (
    <Tooltip content={why}>
      <Button size="small" variant="main" isUnavailable={why !== null || approve.isPending} onClick={run}>
        Approve
      </Button>
    </Tooltip>
  )
}

/** The terms of a change: a second person, a window, batches. */
export const TermsPanel = ({ change }: { change: ChangeDetail }) => {
  const { state, needsApproval, approvedBy, approvedAt, window, batchHosts } = change
  const isOpen = state === 'planned' || state === 'stopped'
  if (!isOpen && !isBound(change)) return null
  return (
    <Panel title="Policy">
      <KeyValues>
        <KeyValue label="Second person">
          {!needsApproval ? 'not required' : null}
          {needsApproval && approvedBy === null ? <span className="text-warn">approval required</span> : null}
          {needsApproval && approvedBy !== null ? (
            <>
              {actorLabel(approvedBy)} approved, <Moment at={approvedAt} />
            </>
          ) : null}
        </KeyValue>
        <KeyValue label="Window">
          {window === null ? (
            'at any time'
          ) : (
            <>
              from <Moment at={window.from} form="future" /> until <Moment at={window.until} form="future" />
            </>
          )}
        </KeyValue>
        <KeyValue label="Batches">
          {batchHosts === null ? 'none' : `pauses after every ${formatNoun(batchHosts, 'host')}`}
        </KeyValue>
      </KeyValues>
      {isOpen ? (
        <div className="mt-2.5 flex flex-wrap gap-2">
          {needsApproval && approvedBy === null ? <ApproveButton change={change} /> : null}
          <TermsDialog change={change} />
        </div>
      ) : null}
    </Panel>
  )
}

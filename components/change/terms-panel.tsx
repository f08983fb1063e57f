'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Moment } from '@/components/shell/moment'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { approveChangeOptions } from '@/lib/api/changes'
import { accountOptions } from '@/lib/api/session'
import { whyNotApprove } from '@/lib/domain/plans/change-terms'
import { actorWords } from '@/lib/domain/wording'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { TermsDialog } from './terms-dialog'
import { isBound } from './terms-words'

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
      { onError: (err) => toast.error('It is not approved.', err.message) },
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
          {!needsApproval ? 'not asked for' : null}
          {needsApproval && approvedBy === null ? <span className="text-warn">has to approve it</span> : null}
          {needsApproval && approvedBy !== null ? (
            <>
              {actorWords(approvedBy)} approved, <Moment at={approvedAt} />
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
          {batchHosts === null ? 'none' : `stops after each ${formatNoun(batchHosts, 'host')}`}
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

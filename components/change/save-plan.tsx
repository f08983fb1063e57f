'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { createChangeOptions } from '@/lib/api/changes'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { changePath } from '@/lib/util/paths'

/** Saves a plan for review, and says how long it is. */
export const SavePlan = ({ input, stepCount }: { input: PlanChange; stepCount: number }) => {
  const router = useRouter()
  const { cloud } = useCloud()
  const refusal = useRefusal('change.plan')
  const create = useMutation(createChangeOptions())
  const save = () =>
    create.mutate(input, {
      onSuccess: ({ id }) => router.push(changePath({ cloud, id })),
      onError: (err) => toast.error('The plan was not saved.', err.message),
    })
  const why = refusal ?? (stepCount === 0 ? 'The plan has no steps: there is nothing to do.' : null)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Tooltip content={why}>
        <Button variant="main" isUnavailable={why !== null || create.isPending} onClick={save}>
          Save the plan
        </Button>
      </Tooltip>
      <p className="text-ink2">
        {formatNoun(stepCount, 'step')}. Nothing is written before you press Start on the next page.
      </p>
    </div>
  )
}

'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Field, Select } from '@/components/ui/input'
import { testChoicesOptions } from '@/lib/api/changes'
import { tryLimitOptions } from '@/lib/api/quotas'
import type { LimitTrial as Trial } from '@/lib/schemas/api/limit-trial'

const verdictOf = ({ state, isForetold, project, flavor }: Trial): string => {
  if (state === 'refused')
    return isForetold
      ? `Nova rejects another server of ${flavor} in ${project} with the expected message, so it uses these limits.`
      : `Nova rejects another server of ${flavor} in ${project}, but with a different message:`
  return state === 'accepted'
    ? `Nova accepts the server, so it does not use these limits. Check nova.conf of nova-api and nova-conductor.`
    : 'The response of Nova is inconclusive:'
}

const Verdict = ({ trial }: { trial: Trial }) => (
  <div role="status" className="mt-2 wrap-anywhere">
    <p className={trial.isForetold ? '' : 'text-warn'}>{verdictOf(trial)}</p>
    {trial.isForetold ? null : <p className="font-mono text-small">{trial.message}</p>}
  </div>
)

/** The proof: one server that the own project's limits forbid, asked of Nova for real. */
export const LimitTrial = ({ flavorId }: { flavorId: string }) => {
  const { cloud } = useCloud()
  const [image, setImage] = useState('')
  const { data } = useQuery(testChoicesOptions({ cloud }))
  const trial = useMutation(tryLimitOptions({ cloud }))
  const refusal = useRefusal('change.run')
  const images = data?.images ?? []
  return (
    <section aria-label="Test with Nova" className="mt-3 border-line border-t pt-2.5">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div className="w-full max-w-[320px]">
          <Field
            id="limit-trial-image"
            label="Image of the test server"
            error={data?.imagesError ?? undefined}
          >
            <Select id="limit-trial-image" value={image} onChange={(event) => setImage(event.target.value)}>
              <option value="">Select one</option>
              {images.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <ConfirmButton
          size="body"
          label="Test with Nova"
          accessibleLabel="Test with Nova"
          title="Send a test request to Nova?"
          confirmLabel="Send request"
          onConfirm={() => trial.mutateAsync({ flavorId, imageId: image })}
          refusal={refusal ?? (image === '' ? 'Select an image first.' : null)}
        >
          The request creates one server of this flavor without a network in your current project. It is sent
          only if the dry run above expects a rejection. If Nova creates the server, it is deleted
          immediately.
        </ConfirmButton>
      </div>
      {trial.data === undefined ? null : <Verdict trial={trial.data} />}
    </section>
  )
}

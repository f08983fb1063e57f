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
      ? `Nova refuses ${project} one more server of ${flavor}, in the words above: it goes by these limits.`
      : `Nova refuses ${project} one more server of ${flavor}, in other words than foretold:`
  return state === 'accepted'
    ? `Nova does not refuse it, so it does not go by these limits: look at nova.conf of nova-api and nova-conductor.`
    : 'Nova’s answer shows nothing:'
}

const Verdict = ({ trial }: { trial: Trial }) => (
  <div role="status" className="mt-2 wrap-anywhere">
    <p className={trial.isForetold ? '' : 'text-warn'}>{verdictOf(trial)}</p>
    {trial.isForetold ? null : <p className="font-mono text-small">{trial.said}</p>}
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
    <section aria-label="Try it for real" className="mt-3 border-line border-t pt-2.5">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div className="w-full max-w-[320px]">
          <Field
            id="limit-trial-image"
            label="Image of a server that must be refused"
            error={data?.imagesError ?? undefined}
          >
            <Select id="limit-trial-image" value={image} onChange={(event) => setImage(event.target.value)}>
              <option value="">Choose one</option>
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
          label="Try it for real"
          accessibleLabel="Try it for real"
          title="Ask Nova for a server that it has to refuse?"
          confirmLabel="Ask Nova"
          onConfirm={() => trial.mutateAsync({ flavorId, imageId: image })}
          refusal={refusal ?? (image === '' ? 'Choose an image first.' : null)}
        >
          One server of this flavor, without a network, in the project that you are signed in to. The console
          asks only where the check above says that it is refused; if Nova makes it all the same, it is
          deleted at once.
        </ConfirmButton>
      </div>
      {trial.data === undefined ? null : <Verdict trial={trial.data} />}
    </section>
  )
}

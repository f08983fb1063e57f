'use client'

import { useMutation } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useQueryStates } from 'nuqs'
import { useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { createScenarioOptions, deleteScenarioOptions, saveScenarioOptions } from '@/lib/api/scenarios'
import { scenarioSearchParams } from './scenario-search-params'
import type { OpenScenario } from './use-scenario'

const NameDialog = dynamic(() => import('./name-dialog').then((module) => module.NameDialog))

type Naming = 'create' | 'rename' | 'duplicate'

const TITLES: Readonly<Record<Naming, { title: string; label: string }>> = {
  create: { title: 'Save scenario', label: 'Save scenario' },
  rename: { title: 'Rename scenario', label: 'Rename' },
  duplicate: { title: 'Duplicate scenario', label: 'Duplicate' },
}

const nameFor = (naming: Naming, name: string): string =>
  naming === 'create' ? '' : naming === 'duplicate' ? `Copy of ${name}` : name

/** Save, discard, rename, duplicate and delete a scenario. */
export const ScenarioActions = ({ scenario }: { scenario: OpenScenario }) => {
  const { side, saved, savedQuery, steps, isChanged, discard } = scenario
  const { cloud } = useCloud()
  const [, setParams] = useQueryStates(scenarioSearchParams, { history: 'push' })
  const refusal = useRefusal('scenario.save')
  const [naming, setNaming] = useState<Naming | null>(null)
  const create = useMutation(createScenarioOptions())
  const save = useMutation(saveScenarioOptions())
  const remove = useMutation(deleteScenarioOptions())
  const draftName = side === 'a' ? 'steps' : 'stepsB'

  const name = async (text: string) => {
    if (naming === 'rename' && saved !== null) {
      await save.mutateAsync({ id: saved.id, name: text, steps: saved.steps, version: saved.version })
      return
    }
    const created = await create.mutateAsync({ cloud, name: text, steps: [...steps] })
    // A copy is compared with its original.
    const other = naming === 'duplicate' ? { b: String(created.id), stepsB: null } : null
    await setParams(other ?? { [side]: String(created.id), [draftName]: null })
  }
  const saveSteps = () => {
    if (saved === null) return setNaming('create')
    save.mutate(
      { id: saved.id, name: saved.name, steps: [...steps], version: saved.version },
      {
        onSuccess: ({ name: text }) => {
          discard()
          toast.done(`“${text}” is saved.`)
        },
      },
    )
  }
  const reload = async () => {
    discard()
    save.reset()
    await savedQuery.refetch()
  }
  const isSaveable = saved === null ? steps.length > 0 : isChanged
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {isSaveable ? (
          <Tooltip content={refusal}>
            <Button
              size="small"
              variant="main"
              isUnavailable={refusal !== null || save.isPending}
              onClick={saveSteps}
            >
              {save.isPending ? 'Saving' : 'Save'}
            </Button>
          </Tooltip>
        ) : null}
        {isChanged && saved !== null ? (
          <Button size="small" onClick={discard}>
            Discard changes
          </Button>
        ) : null}
        {saved === null ? null : (
          <>
            {(['rename', 'duplicate'] as const).map((one) => (
              <Tooltip key={one} content={refusal}>
                <Button
                  size="small"
                  variant="ghost"
                  isUnavailable={refusal !== null}
                  onClick={() => setNaming(one)}
                >
                  {TITLES[one].label}
                </Button>
              </Tooltip>
            ))}
            <ConfirmButton
              label="Delete"
              accessibleLabel={`Delete ${saved.name}`}
              title={`Delete “${saved.name}”`}
              confirmLabel="Delete scenario"
              refusal={refusal}
              onConfirm={async () => {
                await setParams({ [side]: null, [draftName]: null })
                await remove.mutateAsync({ id: saved.id })
              }}
            >
              Links to this scenario will no longer work. The audit log keeps its steps.
            </ConfirmButton>
          </>
        )}
      </div>
      {save.error === null || naming !== null ? null : (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-2 text-bad">
          <p className="min-w-0 flex-1 basis-60">{save.error.message}</p>
          <Button size="small" onClick={() => void reload()}>
            Reload scenario
          </Button>
        </div>
      )}
      {naming === null ? null : (
        <NameDialog
          {...TITLES[naming]}
          name={nameFor(naming, saved?.name ?? '')}
          onName={name}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  )
}

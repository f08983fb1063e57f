'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { CopyLine } from '@/components/ui/copyable'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import type { CreatedApiToken } from '@/lib/schemas/api/api-tokens'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { apiPaths } from '@/lib/util/paths'
import { ApiTokenForm } from './api-token-form'

const CreatedApiTokenPanel = ({ token }: { token: CreatedApiToken }) => (
  <div className="flex flex-col gap-3">
    <p>Copy it now. It stands nowhere else and is not shown again.</p>
    <CopyLine text={token.token} label="Copy the API token" takesFocus />
    <p>A script sends it with each request:</p>
    <CopyLine
      text={sh`curl -H "Authorization: Bearer $TOKEN" ${shellWord(`${window.location.origin}${apiPaths.overview()}`)}`}
      label="Copy the example"
    />
    <p className="text-ink2 text-small">
      It acts as {token.owner} with the role {token.role}, also when you lose that role later: then revoke it
      here.
    </p>
  </div>
)

/** What for, reading or writing, how long; then the token, once. */
export const MakeApiTokenDialog = () => {
  const [created, setCreated] = useState<CreatedApiToken | null>(null)
  return (
    <Dialog onOpenChange={(isOpen) => isOpen && setCreated(null)}>
      <DialogTrigger asChild>
        <Button variant="main">
          <Plus size={14} aria-hidden />
          Make a token
        </Button>
      </DialogTrigger>
      <DialogContent
        width={created === null ? 'normal' : 'wide'}
        title={created === null ? 'Make an API token' : 'Your API token'}
        description={created === null ? 'It carries the role that you have now.' : null}
      >
        {created === null ? (
          <ApiTokenForm onCreated={setCreated} />
        ) : (
          <>
            <CreatedApiTokenPanel token={created} />
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

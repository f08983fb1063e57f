'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormFoot } from '@/components/form/form-foot'
import { showServerError } from '@/components/form/show-server-error'
import { isNoSignIn, NoSignIn } from '@/components/session/no-sign-in'
import { Moment } from '@/components/shell/moment'
import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { CopyLine } from '@/components/ui/copyable'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { described, Field, Input, Select } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { apiTokenListOptions, createApiTokenOptions, revokeApiTokenOptions } from '@/lib/api/api-tokens'
import type { CreateApiToken } from '@/lib/schemas/api/api-token-inputs'
import type { ApiTokenDto, CreatedApiToken } from '@/lib/schemas/api/api-tokens'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { apiPaths } from '@/lib/util/paths'

const states: Record<ApiTokenDto['state'], { word: string; tone: 'quiet' | 'accent' }> = {
  usable: { word: 'usable', tone: 'accent' },
  expired: { word: 'expired', tone: 'quiet' },
  revoked: { word: 'revoked', tone: 'quiet' },
}

const access: Record<ApiTokenDto['access'], string> = { read: 'read', write: 'read and write' }

const ApiTokenRow = ({ token }: { token: ApiTokenDto }) => {
  const revoke = useMutation(revokeApiTokenOptions())
  const isUsable = token.state === 'usable'
  const confirm = async () => {
    await revoke.mutateAsync({ id: token.id })
    toast.done(`The API token "${token.label}" is revoked.`)
  }
  return (
    <Tr className={isUsable ? '' : 'text-ink3'}>
      <Td>{token.label}</Td>
      <Td>
        <Tag tone={states[token.state].tone}>{states[token.state].word}</Tag>
      </Td>
      <Td>
        {access[token.access]} <span className="text-ink3">as {token.role}</span>
      </Td>
      <Td>{token.scope}</Td>
      <Td>{token.isOwn ? 'you' : token.owner}</Td>
      <Td>
        <Moment at={token.lastUsedAt} />
        {token.lastAddress === null ? null : <span className="text-ink3"> from {token.lastAddress}</span>}
      </Td>
      <Td>
        <Moment at={token.expiresAt} form="future" />
      </Td>
      <Td className="text-right">
        {isUsable ? (
          <ConfirmButton
            label="Revoke"
            accessibleLabel={`Revoke the API token ${token.label}`}
            title={`Revoke the API token "${token.label}"?`}
            confirmLabel="Revoke token"
            onConfirm={confirm}
          >
            Scripts that use this token lose access immediately. This cannot be undone.
          </ConfirmButton>
        ) : null}
      </Td>
    </Tr>
  )
}

const ApiTokensPanel = ({ tokens }: { tokens: ApiTokenDto[] }) => (
  <Panel title="API tokens" note="for scripts; each token is shown only once">
    <SideScroll>
      <Table>
        <thead>
          <tr>
            <Th>Label</Th>
            <Th>State</Th>
            <Th>Access</Th>
            <Th>Scope</Th>
            <Th>Owner</Th>
            <Th>Last used</Th>
            <Th>Expires</Th>
            <Th>
              <span className="sr-only">Action</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <ApiTokenRow key={token.id} token={token} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </Panel>
)

const lifetimes = [
  { days: 1, label: '1 day' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '1 year' },
]

const fields = ['label', 'access', 'lifetimeDays'] as const
type FieldName = (typeof fields)[number]

const ApiTokenForm = ({ onCreated }: { onCreated: (token: CreatedApiToken) => void }) => {
  const form = useForm<CreateApiToken>({
    defaultValues: { label: '', access: 'read', lifetimeDays: 30 },
  })
  const create = useMutation(createApiTokenOptions())
  const { errors } = form.formState
  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: onCreated,
      onError: (err) => showServerError(form, fields, err),
    }),
  )
  const props = (name: FieldName) => described(`api-token-${name}`, errors[name]?.message)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <Field
        id="api-token-label"
        label="Label"
        help="Shown in the list and in the audit log."
        error={errors.label?.message}
      >
        <Input {...form.register('label')} {...props('label')} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field
          id="api-token-access"
          label="Access"
          help="Never exceeds your own role."
          error={errors.access?.message}
        >
          <Select {...form.register('access')} {...props('access')}>
            <option value="read">read</option>
            <option value="write">read and write</option>
          </Select>
        </Field>
        <Field
          id="api-token-lifetimeDays"
          label="Valid for"
          help="You can revoke it at any time."
          error={errors.lifetimeDays?.message}
        >
          <Select {...form.register('lifetimeDays', { valueAsNumber: true })} {...props('lifetimeDays')}>
            {lifetimes.map(({ days, label }) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <FormFoot
        error={errors.root?.message}
        isPending={create.isPending}
        label="Create token"
        pendingLabel="Creating the token"
      />
    </form>
  )
}

const CreatedApiTokenPanel = ({ token }: { token: CreatedApiToken }) => (
  <div className="flex flex-col gap-3">
    <p>Copy the token now. It will not be shown again.</p>
    <CopyLine text={token.token} label="Copy the API token" takesFocus />
    <p>Send the token with each request:</p>
    <CopyLine
      text={sh`curl -H "Authorization: Bearer $TOKEN" ${shellWord(`${window.location.origin}${apiPaths.overview()}`)}`}
      label="Copy the example"
    />
    <p className="text-ink2 text-small">
      Requests run as {token.owner} with the role {token.role}. The token keeps this role even if you lose it;
      revoke the token in that case.
    </p>
  </div>
)

/** What for, reading or writing, how long; then the token, once. */
const CreateApiTokenDialog = () => {
  const [created, setCreated] = useState<CreatedApiToken | null>(null)
  return (
    <Dialog onOpenChange={(isOpen) => isOpen && setCreated(null)}>
      <DialogTrigger asChild>
        <Button variant="main">
          <Plus size={14} aria-hidden />
          Create token
        </Button>
      </DialogTrigger>
      <DialogContent
        width={created === null ? 'normal' : 'wide'}
        title={created === null ? 'Create API token' : 'Your API token'}
        description={created === null ? 'The token has your current role.' : null}
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

/** Settings → API tokens: what scripts sign in with. */
export const ApiTokensPage = () => {
  const list = useQuery(apiTokenListOptions())
  return (
    <>
      <PageTitle title="API tokens" actions={list.data === undefined ? null : <CreateApiTokenDialog />} />
      <SettingsNav />
      {list.isPending ? <Skeleton className="h-40" /> : null}
      {list.isError && isNoSignIn(list.error) ? <NoSignIn what="API tokens" /> : null}
      {list.isError && !isNoSignIn(list.error) ? (
        <ErrorState
          title="The API tokens could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.data === undefined ? null : list.data.tokens.length === 0 ? (
        <EmptyState title="No API token yet">
          Scripts use an API token to call the API with your role: they send it as “Authorization: Bearer …”.
          “Create token” creates one with read or write access and an expiry date.
        </EmptyState>
      ) : (
        <ApiTokensPanel tokens={list.data.tokens} />
      )}
    </>
  )
}

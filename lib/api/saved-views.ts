import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { CreateSavedView, SavedView, SavedViewList, UpdateSavedView } from '@/lib/schemas/api/saved-view'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'

const KEY = ['saved-views']

export const savedViewsOptions = ({ cloud }: { cloud: string | null }) =>
  queryOptions({
    queryKey: [...KEY, { cloud }],
    queryFn: ({ signal }) => requestJson<SavedViewList>({ path: apiPaths.savedViews({ cloud }), signal }),
    staleTime: 60_000,
  })

export const createSavedViewOptions = () =>
  mutationOptions({
    mutationKey: [...KEY, 'create'],
    mutationFn: (body: CreateSavedView) =>
      requestJson<SavedView>({ path: apiPaths.savedViews(), method: 'POST', body }),
    onSuccess: (_view, _body, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
  })

export const updateSavedViewOptions = () =>
  mutationOptions({
    mutationKey: [...KEY, 'update'],
    mutationFn: ({ id, ...body }: UpdateSavedView & { id: number }) =>
      requestJson<SavedView>({ path: apiPaths.savedView({ id }), method: 'PUT', body }),
    onSuccess: (_view, _body, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
  })

export const deleteSavedViewOptions = () =>
  mutationOptions({
    mutationKey: [...KEY, 'delete'],
    mutationFn: ({ id }: { id: number }) =>
      requestNothing({ path: apiPaths.savedView({ id }), method: 'DELETE' }),
    onSuccess: (_nothing, _body, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
  })

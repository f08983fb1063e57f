export const API_TOKEN_COLUMNS = `
id, hash, label, cloud, user_id AS "userId", user_name AS "userName", user_domain AS "userDomain",
scope_kind AS "scopeKind", project_id AS "projectId", project_name AS "projectName",
project_domain AS "projectDomain", role, access, created_at AS "createdAt", expires_at AS "expiresAt",
last_used_at AS "lastUsedAt", last_address AS "lastAddress", revoked_at AS "revokedAt", revoked_by AS "revokedBy"`

/**
 * The schema, as an append-only list of steps. Each runs once, in one transaction.
 * Times are epoch milliseconds, booleans 0 or 1, ids UUIDv7 texts made by us, JSON is text.
 */

/** Where the two SQL dialects differ. */
export type Dialect = { integer: string; i32: string; blob: string; identity: string; withoutRowid: string }

export const SQLITE_DIALECT: Dialect = {
  integer: 'INTEGER',
  i32: 'INTEGER',
  blob: 'BLOB',
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  withoutRowid: ' WITHOUT ROWID',
}

type Migration = { name: string; statements: (dialect: Dialect) => string[] }

export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001 accounts and teams',
    statements: ({ integer, i32 }) => [
      `CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
      `CREATE TABLE "user" (
        id TEXT PRIMARY KEY, email TEXT NOT NULL, email_lower TEXT NOT NULL UNIQUE, password_hash TEXT,
        first_name TEXT NOT NULL, last_name TEXT NOT NULL, is_active ${i32} NOT NULL, is_superuser ${i32} NOT NULL, email_verified ${i32} NOT NULL,
        newsletter_confirmed ${i32} NOT NULL, privacy_confirmed_at ${integer}, terms_confirmed_at ${integer},
        created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
      // A refresh token names its session; only the hash of its id is kept.
      `CREATE TABLE session (id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, created_at ${integer} NOT NULL, expires_at ${integer} NOT NULL, ended_at ${integer})`,
      `CREATE INDEX "session_user" ON session (user_id)`,
      `CREATE TABLE team (id TEXT PRIMARY KEY, name TEXT NOT NULL, is_default ${i32} NOT NULL, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
      `CREATE TABLE team_member (
        id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE, user_id TEXT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        is_owner ${i32} NOT NULL, created_at ${integer} NOT NULL, UNIQUE (team_id, user_id))`,
      `CREATE INDEX team_member_user ON team_member (user_id)`,
      // A key is found by its hash; its text is stored sealed, since every list shows it again.
      `CREATE TABLE api_key (
        id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, sealed TEXT NOT NULL,
        created_at ${integer} NOT NULL, last_used_at ${integer})`,
      `CREATE INDEX api_key_team ON api_key (team_id, id)`,
    ],
  },
  {
    name: '0002 runs and their pages',
    statements: ({ integer, i32, blob, identity, withoutRowid }) => [
      `CREATE TABLE run (
        no ${identity}, id TEXT NOT NULL UNIQUE, team_id TEXT NOT NULL REFERENCES team (id), kind TEXT NOT NULL, variant TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
        label TEXT NOT NULL, page_limit ${integer} NOT NULL, deadline_at ${integer}, seeds ${integer} NOT NULL,
        kept ${integer} NOT NULL DEFAULT 0, failed ${integer} NOT NULL DEFAULT 0, known ${integer} NOT NULL DEFAULT 0, settled ${integer} NOT NULL DEFAULT 0,
        event_seq ${integer} NOT NULL DEFAULT 0, token ${integer} NOT NULL DEFAULT 0, owner TEXT, lease_until ${integer}, slice_no ${integer} NOT NULL DEFAULT 1,
        url_salt ${blob} NOT NULL, idempotency_key TEXT,
        created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, started_at ${integer}, ended_at ${integer}, deleted_at ${integer})`,
      `CREATE INDEX run_list ON run (team_id, kind, no)`,
      `CREATE INDEX run_unfinished ON run (status, lease_until) WHERE ended_at IS NULL`,
      `CREATE UNIQUE INDEX run_idempotency ON run (team_id, idempotency_key) WHERE idempotency_key IS NOT NULL`,
      // Runs that have ended while some of their URLs still have no outcome.
      `CREATE INDEX run_unswept ON run (no) WHERE ended_at IS NOT NULL AND settled < known AND deleted_at IS NULL`,
      // The run row is rewritten with each commit, so columns that never change are in a table of their own.
      `CREATE TABLE run_options (run_no ${integer} PRIMARY KEY, options TEXT NOT NULL, seeds TEXT NOT NULL)`,
      `CREATE TABLE host (
        no ${identity}, host_key TEXT NOT NULL UNIQUE, next_at ${integer} NOT NULL DEFAULT 0, delay_ms ${integer} NOT NULL DEFAULT 0, crawl_delay_ms ${integer} NOT NULL DEFAULT 0,
        closed_until ${integer} NOT NULL DEFAULT 0, width ${i32} NOT NULL DEFAULT 2, robots ${blob}, robots_until ${integer})`,
      // No index on the key: a run has one owner, who keeps its URLs unique in memory, and a random-order index costs six times the whole insert.
      `CREATE TABLE run_url (
        run_no ${integer} NOT NULL, seq ${integer} NOT NULL, key_hi ${i32} NOT NULL, key_lo ${i32} NOT NULL, host_no ${integer} NOT NULL,
        depth ${i32} NOT NULL, tries ${i32} NOT NULL DEFAULT 0, hops ${i32} NOT NULL DEFAULT 0, state ${i32} NOT NULL, due_at ${integer},
        outcome TEXT, detail TEXT, http_status ${i32}, bytes ${i32}, took_ms ${i32}, is_seed ${i32} NOT NULL DEFAULT 0, url TEXT NOT NULL, title TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (run_no, seq))${withoutRowid}`,
      `CREATE INDEX run_url_pending ON run_url (run_no, host_no, depth, seq) WHERE state = 0`,
      `CREATE INDEX run_url_waiting ON run_url (run_no, due_at) WHERE state = 1`,
      // no = run_no * 2^24 + ordinal: the pages of a run are one key range.
      `CREATE TABLE page (
        no ${integer} PRIMARY KEY, id TEXT NOT NULL UNIQUE, run_no ${integer} NOT NULL, key_hi ${i32} NOT NULL, key_lo ${i32} NOT NULL, url TEXT NOT NULL, title TEXT,
        http_status ${i32} NOT NULL, content_type TEXT, language TEXT, content_hash TEXT NOT NULL, event_seq ${integer} NOT NULL, created_at ${integer} NOT NULL,
        UNIQUE (run_no, key_hi, key_lo))`,
      // encoding 0 plain, 1 zstd; the body is the JSON text of the result document.
      `CREATE TABLE page_body (page_no ${integer} PRIMARY KEY, encoding ${i32} NOT NULL, raw_bytes ${integer} NOT NULL, body ${blob} NOT NULL)`,
      `CREATE TABLE attachment (id TEXT PRIMARY KEY, page_no ${integer} NOT NULL, kind TEXT NOT NULL, blob_key TEXT NOT NULL, bytes ${integer} NOT NULL)`,
      `CREATE INDEX attachment_page ON attachment (page_no)`,
      // The feed messages of one commit are one row.
      `CREATE TABLE run_feed (run_no ${integer} NOT NULL, first_seq ${integer} NOT NULL, last_seq ${integer} NOT NULL, messages TEXT NOT NULL, PRIMARY KEY (run_no, first_seq))${withoutRowid}`,
      `CREATE TABLE job (no ${identity}, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, payload TEXT NOT NULL, team_id TEXT NOT NULL, priority ${i32} NOT NULL, run_at ${integer} NOT NULL,
        attempts ${i32} NOT NULL DEFAULT 0, owner TEXT, lease_until ${integer})`,
      `CREATE INDEX job_order ON job (priority, no)`,
      `CREATE TABLE credit_entry (run_no ${integer} PRIMARY KEY, team_id TEXT NOT NULL, requested ${integer} NOT NULL, used ${integer} NOT NULL, state TEXT NOT NULL, created_at ${integer} NOT NULL)`,
      `CREATE TABLE usage_day (team_id TEXT NOT NULL, day TEXT NOT NULL, pages ${integer} NOT NULL, runs ${integer} NOT NULL, credits ${integer} NOT NULL, PRIMARY KEY (team_id, day))${withoutRowid}`,
    ],
  },
  {
    name: '0003 addresses of sitemaps',
    statements: ({ integer, withoutRowid }) => [
      // seq counts from 0 without gaps, so that any page of a list is one key range.
      `CREATE TABLE sitemap_url (run_no ${integer} NOT NULL, seq ${integer} NOT NULL, url TEXT NOT NULL, lastmod TEXT, PRIMARY KEY (run_no, seq))${withoutRowid}`,
    ],
  },
  {
    name: '0004 crashes of runs',
    statements: ({ i32 }) => [`ALTER TABLE run ADD COLUMN crashes ${i32} NOT NULL DEFAULT 0`],
  },
  {
    name: '0005 hits of searches',
    statements: ({ integer }) => [
      // The hits as the API returns them: a JSON list, never longer than a page of a list.
      `CREATE TABLE search_result (run_no ${integer} PRIMARY KEY, items TEXT NOT NULL)`,
    ],
  },
  {
    name: '0006 people',
    statements: ({ integer }) => [
      // Links in mails, by the hash of their token. One per purpose and user: a new link replaces the old one.
      `CREATE TABLE one_time_link (
        token_hash TEXT PRIMARY KEY, purpose TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        created_at ${integer} NOT NULL, expires_at ${integer} NOT NULL, used_at ${integer}, UNIQUE (user_id, purpose))`,
      // One per team and address: inviting again gives the row a new code. status: pending, accepted, withdrawn, declined.
      `CREATE TABLE invitation (
        id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE, email TEXT NOT NULL, email_lower TEXT NOT NULL,
        code_hash TEXT NOT NULL UNIQUE, status TEXT NOT NULL, invited_by TEXT REFERENCES "user" (id) ON DELETE SET NULL,
        created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, UNIQUE (team_id, email_lower))`,
      `CREATE INDEX invitation_email ON invitation (email_lower) WHERE status = 'pending'`,
      // Waiting mails in the order in which they are due.
      `CREATE INDEX job_mail ON job (run_at) WHERE kind = 'mail'`,
    ],
  },
  {
    name: '0007 deleted runs',
    statements: () => [`CREATE INDEX run_deleted ON run (no) WHERE deleted_at IS NOT NULL`],
  },
  {
    name: '0008 plans and subscriptions',
    statements: ({ integer, i32, withoutRowid }) => [
      // Prices are in cents for the whole period; -1 means no limit. source: the plans file or the command line, which manages the row.
      `CREATE TABLE plan (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, label TEXT, plan_group TEXT NOT NULL, description TEXT NOT NULL, price_before_discount ${integer}, price ${integer} NOT NULL,
        number_of_users ${integer} NOT NULL, page_credit ${integer} NOT NULL, daily_page_credit ${integer} NOT NULL, crawl_max_depth ${integer} NOT NULL,
        crawl_max_limit ${integer} NOT NULL, max_concurrent_crawl ${integer} NOT NULL, is_default ${i32} NOT NULL, features TEXT NOT NULL,
        price_id TEXT UNIQUE, position ${integer} NOT NULL, is_active ${i32} NOT NULL, source TEXT NOT NULL, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
      `CREATE UNIQUE INDEX plan_default ON plan (is_default) WHERE is_default = 1`,
      // Ledger entries of runs up to counts_after were paid by an earlier period or plan. event_*: the last event of the provider that was
      // applied.
      `CREATE TABLE subscription (
        id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE, plan_id TEXT NOT NULL REFERENCES plan (id), status TEXT NOT NULL, provider_id TEXT UNIQUE,
        start_at ${integer}, period_start_at ${integer}, period_end_at ${integer}, cancel_at ${integer}, counts_after ${integer} NOT NULL,
        event_at ${integer} NOT NULL, event_rank ${i32} NOT NULL, event_id TEXT NOT NULL, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
      `CREATE INDEX subscription_team ON subscription (team_id, created_at)`,
      // The amount is in cents of the currency. One row per invoice, with its last state.
      `CREATE TABLE payment (
        id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE, invoice_id TEXT NOT NULL UNIQUE, payment_id TEXT, amount ${integer} NOT NULL, currency TEXT NOT NULL,
        status TEXT NOT NULL, event_at ${integer} NOT NULL, event_rank ${i32} NOT NULL, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
      `CREATE INDEX payment_team ON payment (team_id, created_at)`,
      `CREATE TABLE payment_event (id TEXT PRIMARY KEY, type TEXT NOT NULL, object_id TEXT, happened_at ${integer}, received_at ${integer} NOT NULL)${withoutRowid}`,
      `ALTER TABLE team ADD COLUMN payment_customer_id TEXT`,
      `CREATE UNIQUE INDEX team_payment_customer ON team (payment_customer_id) WHERE payment_customer_id IS NOT NULL`,
      // The usage of a team since a given run is one key range.
      `CREATE INDEX credit_entry_team ON credit_entry (team_id, run_no)`,
      `CREATE INDEX run_active ON run (team_id, kind, created_at) WHERE ended_at IS NULL`,
    ],
  },
  {
    name: '0008 proxy servers',
    statements: ({ integer, i32 }) => [
      // A proxy without a team belongs to the installation, and the operator provides it. category: team, general, premium.
      `CREATE TABLE proxy_server (
        id TEXT PRIMARY KEY, team_id TEXT REFERENCES team (id) ON DELETE CASCADE, category TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT NULL,
        is_default ${i32} NOT NULL, proxy_type TEXT NOT NULL, host TEXT NOT NULL, port ${i32} NOT NULL, username TEXT, sealed_password TEXT,
        created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
      `CREATE UNIQUE INDEX proxy_server_team_slug ON proxy_server (team_id, slug) WHERE team_id IS NOT NULL`,
      `CREATE UNIQUE INDEX proxy_server_global_slug ON proxy_server (slug) WHERE team_id IS NULL`,
      `CREATE UNIQUE INDEX proxy_server_team_default ON proxy_server (team_id) WHERE team_id IS NOT NULL AND is_default = 1`,
      `CREATE UNIQUE INDEX proxy_server_global_default ON proxy_server (is_default) WHERE team_id IS NULL AND is_default = 1`,
    ],
  },
  {
    name: '0009 bodies of idempotent calls',
    // A salted hash of a request that started a run, to tell a repeated call from another call with the same key.
    statements: () => [`ALTER TABLE run ADD COLUMN idempotency_digest TEXT`],
  },
  {
    name: '0010 proven addresses and makers of keys',
    statements: ({ integer }) => [
      // Whether the user has proved that the address is theirs; email_verified only says that they may sign in. For rows of older versions
      // the address counts as proved if a provider vouched (no password), a mailed link was used, or the operator created the account.
      `ALTER TABLE "user" ADD COLUMN email_proven ${integer} NOT NULL DEFAULT 0`,
      `UPDATE "user" SET email_proven = 1 WHERE email_verified = 1 AND (is_superuser = 1 OR password_hash IS NULL
        OR EXISTS (SELECT 1 FROM one_time_link WHERE one_time_link.user_id = "user".id AND one_time_link.used_at IS NOT NULL))`,
      // Null for keys older than this column, which every member could read. No foreign key: a deleted creator is not an unknown creator.
      `ALTER TABLE api_key ADD COLUMN created_by TEXT`,
      // 0 when the code was shown to the team's owner instead of being mailed: then using it proves no address.
      `ALTER TABLE invitation ADD COLUMN proves_address ${integer} NOT NULL DEFAULT 1`,
      // A keyed hash of the network address that signed in.
      `ALTER TABLE session ADD COLUMN address_hash TEXT`,
    ],
  },
  {
    name: '0011 jobs by team',
    // The next job of a team, and the number of its waiting jobs.
    statements: () => [`CREATE INDEX job_team ON job (team_id, kind, priority, no)`],
  },
  {
    name: '0012 indexes of long reads',
    statements: () => [
      // A period's sum of the ledger is read from the index alone.
      `CREATE INDEX credit_entry_period ON credit_entry (team_id, created_at, run_no, state, requested, used)`,
      `CREATE INDEX run_created ON run (team_id, created_at)`,
    ],
  },
  {
    name: '0013 sealed secrets of runs',
    statements: ({ integer }) => [
      // Header values and URL credentials of a run, sealed; null when it has none. The other columns show a mask.
      `ALTER TABLE run_options ADD COLUMN secrets TEXT`,
      // Runs of older versions that may contain secrets in clear: sealed at the next start, when the key is known (see seal-old-runs.ts).
      `CREATE TABLE run_unsealed (run_no ${integer} PRIMARY KEY REFERENCES run (no) ON DELETE CASCADE)`,
      `INSERT INTO run_unsealed SELECT run_no FROM run_options WHERE seeds LIKE '%@%'
        OR (options LIKE '%"extra_headers":{%' AND options NOT LIKE '%"extra_headers":{}%')`,
    ],
  },
  {
    name: '0014 time worked',
    // Milliseconds that owners have worked on a run. Its time limit counts these, so that clock changes do not affect it.
    statements: ({ integer }) => [
      `ALTER TABLE run ADD COLUMN worked_ms ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE run DROP COLUMN deadline_at`,
    ],
  },
  {
    name: '0015 deletion',
    statements: ({ integer, i32 }) => [
      // Set while runs of a deleted team still have to be removed; its members, keys and invitations were deleted at once.
      `ALTER TABLE team ADD COLUMN deleted_at ${integer}`,
      `CREATE INDEX team_deleted ON team (id) WHERE deleted_at IS NOT NULL`,
      // Facts about a removed run that the ledger keeps; null while the run exists.
      `ALTER TABLE credit_entry ADD COLUMN removed_run_id TEXT`,
      `ALTER TABLE credit_entry ADD COLUMN removed_kind TEXT`,
      `ALTER TABLE credit_entry ADD COLUMN removed_status TEXT`,
      `ALTER TABLE credit_entry ADD COLUMN removed_kept ${i32}`,
      `DROP TABLE attachment`,
    ],
  },
  {
    name: '0016 commits of runs are numbered',
    // Proves that a commit follows the one before it, and recognises one whose answer was lost.
    statements: ({ integer }) => [`ALTER TABLE run ADD COLUMN commit_no ${integer} NOT NULL DEFAULT 0`],
  },
  {
    name: '0017 retention',
    statements: ({ integer }) => [
      // Days after which ended runs of the team are deleted; null keeps them.
      `ALTER TABLE team ADD COLUMN retention_days ${integer}`,
      `CREATE INDEX run_ended ON run (team_id, ended_at) WHERE ended_at IS NOT NULL AND deleted_at IS NULL`,
    ],
  },
  {
    name: '0018 jobs by time',
    // The order of a team's jobs: by priority, then by the time from which they may run (0: at once), then by age.
    statements: () => [
      `UPDATE job SET priority = 1, run_at = 0 WHERE kind <> 'mail'`,
      `DROP INDEX job_order`,
      `DROP INDEX job_team`,
      `CREATE INDEX job_turn ON job (team_id, kind, priority, run_at, no)`,
    ],
  },
  {
    name: '0019 hosts are leased',
    statements: ({ integer }) => [
      // The engine that may request the host, if several work on one database, and when another engine last wanted it.
      `ALTER TABLE host ADD COLUMN holder TEXT`,
      `ALTER TABLE host ADD COLUMN held_until ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE host ADD COLUMN wished_at ${integer} NOT NULL DEFAULT 0`,
    ],
  },
  {
    name: '0020 blobs of runs',
    statements: ({ integer }) => [
      // Files captured from a page, besides its document; the content is the blob `runs/RUN_NO/ID`.
      `CREATE TABLE run_blob (id TEXT PRIMARY KEY, run_no ${integer} NOT NULL, page_no ${integer} NOT NULL, type TEXT NOT NULL, filename TEXT NOT NULL,
        bytes ${integer} NOT NULL, created_at ${integer} NOT NULL)`,
      `CREATE INDEX run_blob_page ON run_blob (run_no, page_no)`,
    ],
  },
  {
    name: '0021 specs of runs',
    // The engine's instructions for a run, with their version; null for older runs, whose options contain them. The options are what the
    // API shows.
    statements: () => [`ALTER TABLE run_options ADD COLUMN spec TEXT`],
  },
  {
    name: '0022 ends of runs',
    statements: ({ identity, integer }) => [
      // Written in the transaction that ends a run, for listeners to ends; kept until all listeners have received it.
      `CREATE TABLE run_ending (no ${identity}, run_no ${integer} NOT NULL, status TEXT NOT NULL, ended_at ${integer} NOT NULL)`,
      `CREATE TABLE run_ending_listener (name TEXT PRIMARY KEY, place ${integer} NOT NULL)`,
      // Was written with each commit, and never read.
      `DROP TABLE usage_day`,
    ],
  },
  {
    name: '0023 ends of runs say whose',
    statements: ({ identity, integer }) => [
      // No version had a listener before this one, so all ends in the table count as delivered.
      `DROP TABLE run_ending`,
      `CREATE TABLE run_ending (no ${identity}, run_no ${integer} NOT NULL, run_id TEXT NOT NULL, team_id TEXT NOT NULL, kind TEXT NOT NULL,
        status TEXT NOT NULL, ended_at ${integer} NOT NULL)`,
      `DELETE FROM run_ending_listener`,
    ],
  },
  {
    name: '0024 crawls of one page are found by their URL',
    statements: () => [
      // Scrapes with a maximum age are answered from these runs.
      `CREATE INDEX run_single ON run (team_id, label, no) WHERE kind = 'crawl' AND page_limit = 1`,
    ],
  },
  {
    name: '0025 language models',
    statements: ({ integer }) => [
      // A team's own endpoint; the key is sealed for its team.
      `CREATE TABLE model_endpoint (team_id TEXT PRIMARY KEY, base_url TEXT NOT NULL, sealed_key TEXT, models TEXT NOT NULL, updated_at ${integer} NOT NULL)`,
      // Tokens and cost of a run, counted with each answer: an answer costs the same whether its page is stored or not.
      `CREATE TABLE model_use (run_no ${integer} PRIMARY KEY, team_id TEXT NOT NULL, model TEXT NOT NULL, calls ${integer} NOT NULL, prompt_tokens ${integer} NOT NULL,
        answer_tokens ${integer} NOT NULL, cost_micros ${integer} NOT NULL)`,
    ],
  },
  {
    name: '0026 presets',
    statements: ({ integer }) => [
      // Named options of crawls, without secrets.
      `CREATE TABLE crawl_preset (id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE, name TEXT NOT NULL,
        options TEXT NOT NULL, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
      `CREATE UNIQUE INDEX crawl_preset_team ON crawl_preset (team_id, name)`,
    ],
  },
  {
    name: '0027 webhooks',
    statements: ({ integer, i32, blob, identity }) => [
      `CREATE TABLE webhook_endpoint (
        id TEXT PRIMARY KEY, team_id TEXT NOT NULL, run_no ${integer}, name TEXT NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL, metadata TEXT,
        sealed_secret TEXT, sealed_previous TEXT, previous_until ${integer}, sealed_headers TEXT,
        is_enabled ${i32} NOT NULL, switched_off TEXT, switched_off_at ${integer},
        failing_since ${integer}, failures ${i32} NOT NULL DEFAULT 0, rest_until ${integer} NOT NULL DEFAULT 0,
        last_attempt_at ${integer}, last_status ${i32}, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, deleted_at ${integer})`,
      `CREATE INDEX webhook_endpoint_team ON webhook_endpoint (team_id, id) WHERE deleted_at IS NULL AND run_no IS NULL`,
      `CREATE INDEX webhook_endpoint_run ON webhook_endpoint (run_no) WHERE run_no IS NOT NULL`,
      `CREATE INDEX webhook_endpoint_deleted ON webhook_endpoint (id) WHERE deleted_at IS NOT NULL`,
      `CREATE TABLE webhook_delivery (
        no ${identity}, id TEXT NOT NULL UNIQUE, endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
        type TEXT NOT NULL, run_id TEXT, run_no ${integer}, state TEXT NOT NULL, body ${blob} NOT NULL, attempts ${i32} NOT NULL DEFAULT 0,
        due_at ${integer} NOT NULL, last_status ${i32}, last_failure TEXT, created_at ${integer} NOT NULL, ended_at ${integer})`,
      `CREATE INDEX webhook_delivery_endpoint ON webhook_delivery (endpoint_id, no)`,
      // The next message to each endpoint.
      `CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, due_at, no) WHERE state = 'waiting'`,
      `CREATE INDEX webhook_delivery_run ON webhook_delivery (run_no) WHERE run_no IS NOT NULL`,
      `CREATE TABLE webhook_attempt (
        no ${identity}, delivery_no ${integer} NOT NULL REFERENCES webhook_delivery (no) ON DELETE CASCADE, at ${integer} NOT NULL, took_ms ${i32} NOT NULL,
        url TEXT NOT NULL, sent TEXT NOT NULL, status ${i32}, failure TEXT, headers TEXT NOT NULL, answer TEXT NOT NULL, is_cut ${i32} NOT NULL)`,
      `CREATE INDEX webhook_attempt_delivery ON webhook_attempt (delivery_no, no)`,
      `CREATE TABLE webhook_feed (
        run_no ${integer} NOT NULL, endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE, is_started ${i32} NOT NULL DEFAULT 0,
        page_no ${integer} NOT NULL, ended_status TEXT, ended_at ${integer}, PRIMARY KEY (run_no, endpoint_id))`,
      `CREATE INDEX webhook_feed_endpoint ON webhook_feed (endpoint_id)`,
      `CREATE TABLE webhook_credit_notice (team_id TEXT PRIMARY KEY, period_start_at ${integer} NOT NULL)`,
    ],
  },
  {
    name: '0028 the language of users',
    // Null: the language that the browser asks for.
    statements: () => [`ALTER TABLE "user" ADD COLUMN language TEXT`],
  },
  {
    name: '0029 parts of runs',
    statements: ({ integer, i32, identity }) => [
      // A crawl of many hosts may be divided into parts, which several engines work on.
      `ALTER TABLE run ADD COLUMN parts ${i32} NOT NULL DEFAULT 1`,
      // `allowed`: how many pages of the run's limit the part may store. `rest`: 0 in progress, 1 nothing left, 2 its pages are used up.
      `CREATE TABLE run_part (
        run_no ${integer} NOT NULL, part ${i32} NOT NULL, token ${integer} NOT NULL DEFAULT 0, owner TEXT, lease_until ${integer},
        commit_no ${integer} NOT NULL DEFAULT 0, slice_no ${integer} NOT NULL DEFAULT 1, kept ${integer} NOT NULL DEFAULT 0,
        allowed ${integer} NOT NULL DEFAULT 0, worked_ms ${integer} NOT NULL DEFAULT 0, rest ${i32} NOT NULL DEFAULT 0,
        crashes ${i32} NOT NULL DEFAULT 0, PRIMARY KEY (run_no, part))`,
      `CREATE TABLE run_mail (
        no ${identity}, run_no ${integer} NOT NULL, part ${i32} NOT NULL, key_hi ${i32} NOT NULL, key_lo ${i32} NOT NULL, url TEXT NOT NULL,
        title TEXT NOT NULL, depth ${i32} NOT NULL, hops ${i32} NOT NULL, is_seed ${i32} NOT NULL, outcome TEXT, detail TEXT)`,
      `CREATE INDEX run_mail_part ON run_mail (run_no, part, no)`,
      // Running engines: a divided run is shared evenly among those with a free place.
      `CREATE TABLE engine (owner TEXT PRIMARY KEY, seen_until ${integer} NOT NULL, has_place ${i32} NOT NULL)`,
    ],
  },
  {
    name: '0030 batches that others were appended to',
    statements: ({ integer }) => [
      `ALTER TABLE run ADD COLUMN appended_to ${integer}`,
      `CREATE INDEX run_appended ON run (appended_to, no) WHERE appended_to IS NOT NULL`,
    ],
  },
  {
    name: '0031 schedules of crawls',
    statements: ({ integer, i32 }) => [
      // `request`, `mail_to` and `monitor` are JSON. `planned_at` is when `next_at` was computed, `reported_no` the last run whose changes
      // were handled. `request` may have two megabytes, and `monitor` 256 KB: they are the last columns, so that the others are read without
      // them.
      `CREATE TABLE crawl_schedule (
        id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES team (id) ON DELETE CASCADE, created_by TEXT, name TEXT NOT NULL,
        crawl_id TEXT, variant TEXT NOT NULL, url TEXT NOT NULL, urls ${i32} NOT NULL, cron TEXT NOT NULL, timezone TEXT NOT NULL,
        is_active ${i32} NOT NULL, mail_changes ${i32} NOT NULL, mail_to TEXT, next_at ${integer}, planned_at ${integer} NOT NULL,
        reported_no ${integer} NOT NULL DEFAULT 0, problem TEXT, problem_text TEXT, problem_at ${integer},
        created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, secrets TEXT, monitor TEXT, request TEXT NOT NULL)`,
      `CREATE INDEX crawl_schedule_team ON crawl_schedule (team_id, id)`,
      `CREATE INDEX crawl_schedule_due ON crawl_schedule (next_at) WHERE next_at IS NOT NULL`,
      `ALTER TABLE run ADD COLUMN schedule_id TEXT`,
      `ALTER TABLE run ADD COLUMN scheduled_for ${integer}`,
      `CREATE INDEX run_schedule ON run (schedule_id, no) WHERE schedule_id IS NOT NULL`,
    ],
  },
  {
    name: '0032 the free plan of users',
    statements: ({ integer }) => [
      // The team may have been deleted.
      `CREATE TABLE free_plan (
        user_id TEXT PRIMARY KEY REFERENCES "user" (id) ON DELETE CASCADE, team_id TEXT NOT NULL, start_at ${integer} NOT NULL, used_until ${integer})`,
      `INSERT INTO free_plan (user_id, team_id, start_at)
        SELECT team_member.user_id, max(subscription.team_id), min(subscription.start_at) FROM subscription
        JOIN plan ON plan.id = subscription.plan_id AND plan.is_default = 1
        JOIN team_member ON team_member.team_id = subscription.team_id AND team_member.is_owner = 1
        WHERE subscription.provider_id IS NULL AND subscription.start_at IS NOT NULL GROUP BY team_member.user_id`,
    ],
  },
  {
    name: '0033 owners of teams',
    statements: () => [
      // What teams share is divided between owners. Unlike the membership, the column lasts until the team's last run is removed.
      `ALTER TABLE team ADD COLUMN owner_id TEXT`,
      `UPDATE team SET owner_id = (SELECT min(user_id) FROM team_member WHERE team_member.team_id = team.id AND is_owner = 1)`,
    ],
  },
  {
    name: '0034 counts of runs',
    // Each list counts its runs: from this index alone, without the rows, which take 70 MB for 100,000 runs in PostgreSQL.
    statements: () => ['CREATE INDEX run_listed ON run (team_id, kind, deleted_at, created_at, variant)'],
  },
  {
    name: '0035 the free plan of deleted accounts',
    statements: ({ integer }) => [`CREATE TABLE past_free_plan (email_hash TEXT PRIMARY KEY, used_until ${integer} NOT NULL)`],
  },
]

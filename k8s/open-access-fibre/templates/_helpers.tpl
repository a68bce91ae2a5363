{{/* Name prefix of everything in the release. It leaves room for the longest suffix within the 63 characters of a label. */}}
{{- define "fibre.fullname" -}}
{{- $default := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- .Values.fullnameOverride | default $default | trunc 36 | trimSuffix "-" -}}
{{- end }}

{{/*
The services to install, keyed by name, each with `common` overridden by its own values. The result is YAML, because a template
can only return text; use it as `range include "fibre.services" . | fromYaml`.
*/}}
{{- define "fibre.services" -}}
{{- $apis := dict
  "coverage" (dict
    "path" "/v2/cov"
    "paths" (list "/v2/cov")
    "protected" "/v2/cov/nodes/"
    "transfers" (list "/v2/cov/nodes/import" "/v2/cov/nodes/export" "/v2/cov/search"))
  "event" (dict
    "path" "/api/v2/sys/events"
    "paths" (list "/api/v2/sys/events" "/api/v2/sys/charges" "/api/v2/sys/closings" "/api/v2/sys/entities" "/api/v2/sys/find" "/api/v2/sys/isps" "/api/v2/sys/overview" "/api/v2/sys/periods" "/api/v2/sys/webhooks")
    "protected" "/api/v2/sys/events/"
    "transfers" (list "/api/v2/sys/events/export")) -}}
{{- $services := dict -}}
{{- range $key, $own := .Values.services -}}
{{- if $own.enabled -}}
{{- $service := deepCopy $.Values.common -}}
{{- include "fibre.overlay" (list $service $own) -}}
{{- $_ := set $service "component" (printf "%s-service" $key) -}}
{{- $_ := set $service "name" (printf "%s-%s" (include "fibre.fullname" $) $service.component) -}}
{{- $_ := set $service "api" (get $apis $key) -}}
{{- include "fibre.requireSettings" (list $key $service) -}}
{{- $_ := set $services $key $service -}}
{{- end -}}
{{- end -}}
{{- include "fibre.portalSettings" (list . $services) -}}
{{- toYaml $services -}}
{{- end }}

{{/* What the two services need to know about the portal: coverage-service serves it, and its pages call event-service. */}}
{{- define "fibre.portalSettings" -}}
{{- $portal := (index . 0).Values.portal -}}
{{- $coverage := get (index . 1) "coverage" -}}
{{- $event := get (index . 1) "event" -}}
{{- if and $portal.enabled $coverage -}}
{{- $_ := set $coverage.env "PORTAL_ENABLED" true -}}
{{- $_ := set $coverage.env "PORTAL_CLIENT_ID" $portal.clientId -}}
{{- $_ := set $coverage.env "PORTAL_MAP_STYLE_URL" $portal.mapStyleUrl -}}
{{- if and $event (ne $coverage.publicUrl $event.publicUrl) -}}
{{- $_ := set $coverage.env "PORTAL_EVENTS_URL" $event.publicUrl -}}
{{- $_ := set $event.env "CORS_ORIGINS" (printf "%s %s" $coverage.publicUrl $event.env.CORS_ORIGINS | trim) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Merges the second map into the first, in place. Does not use `mergeOverwrite`, because that ignores `false`, 0 and "". */}}
{{- define "fibre.overlay" -}}
{{- $base := index . 0 -}}
{{- range $key, $value := index . 1 -}}
{{- $below := get $base $key -}}
{{- if and (kindIs "map" $value) (kindIs "map" $below) -}}
{{- include "fibre.overlay" (list $below $value) -}}
{{- else -}}
{{- $_ := set $base $key $value -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Checks settings that have no sensible default and may be set in one of two places, which the schema cannot express. */}}
{{- define "fibre.requireSettings" -}}
{{- $key := index . 0 -}}
{{- $service := index . 1 -}}
{{- range $name := list "OAUTH_ISSUER" "OAUTH_AUDIENCE" -}}
{{- $_ := required (printf "common.env.%s is required" $name) (get $service.env $name) -}}
{{- end -}}
{{- $_ := required (printf "services.%s.database.existingSecret is required: the secret with the URL of its database" $key) $service.database.existingSecret -}}
{{- if and $service.database.ca.configMap $service.database.ca.secret -}}
{{- fail (printf "services.%s.database.ca: set configMap or secret, not both" $key) -}}
{{- end -}}
{{- end }}

{{/* Labels that select the pods of a service. */}}
{{- define "fibre.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ (index . 1).component }}
{{- end }}

{{/* Labels of everything that belongs to the release as a whole. */}}
{{- define "fibre.releaseLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{ include "fibre.chartLabels" . }}
{{- end }}

{{- define "fibre.chartLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Labels of everything that belongs to one service. */}}
{{- define "fibre.labels" -}}
{{ include "fibre.selector" . }}
{{ include "fibre.chartLabels" (index . 0) }}
{{- end }}

{{- define "fibre.image" -}}
{{- $root := index . 0 -}}
{{- with (index . 1).image -}}
{{- with .registry }}{{ trimSuffix "/" . }}/{{ end }}{{ .repository }}
{{- if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $root.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "fibre.serviceAccountName" -}}
{{- .serviceAccount.name | default (ternary .name "default" .serviceAccount.create) -}}
{{- end }}

{{/* The host at which clients reach a service. */}}
{{- define "fibre.host" -}}
{{- $url := required (printf "common.publicUrl, or publicUrl of each service, is required to route %s" .component) .publicUrl -}}
{{- get (urlParse $url) "hostname" -}}
{{- end }}

{{/*
Environment variables that are not secret, as a map, without those that `extraEnv` sets: if a name is given twice, Kubernetes
takes the last value, but Helm 4 keeps none.
*/}}
{{- define "fibre.settings" -}}
{{- $settings := dict
  "NODE_ENV" "production"
  "PORT" "8080"
  "SHUTDOWN_DELAY_SECONDS" .shutdownDelaySeconds
  "PUBLIC_BASE_URL" .publicUrl -}}
{{- if .caBundle.configMap -}}
{{- $_ := set $settings "NODE_EXTRA_CA_CERTS" "/etc/fibre/ca/ca.crt" -}}
{{- end -}}
{{- if .timeZones.configMap -}}
{{- $_ := set $settings "ICU_TIMEZONE_FILES_DIR" "/etc/fibre/time-zones" -}}
{{- end -}}
{{- if .spoolSize -}}
{{- $_ := set $settings "SPOOL_DIR" "/var/spool/fibre" -}}
{{- end -}}
{{- $extra := dict -}}
{{- range .extraEnv -}}
{{- $_ := set $extra .name true -}}
{{- end -}}
{{- $set := dict -}}
{{- range $name, $value := merge $settings .env -}}
{{- if not (or (eq (toString $value) "") (hasKey $extra $name)) -}}
{{- $_ := set $set $name (toString $value) -}}
{{- end -}}
{{- end -}}
{{- toYaml $set -}}
{{- end }}

{{/* What the containers of a service have in common: those of the server, the migration and the tests. */}}
{{- define "fibre.container" -}}
{{- $service := index . 1 -}}
image: {{ include "fibre.image" . }}
imagePullPolicy: {{ $service.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/*
Environment of a service and of its migrations. It is part of the pods and not in a ConfigMap, because all revisions would share
a ConfigMap, and a rollback would bring back the code of one version with the settings of another.
*/}}
{{- define "fibre.env" -}}
{{- range $name, $value := include "fibre.settings" . | fromYaml }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .database.existingSecret }}
      key: {{ .database.urlKey }}
{{- with .database.replicaUrlKey }}
- name: DATABASE_REPLICA_URL
  valueFrom:
    secretKeyRef:
      name: {{ $.database.existingSecret }}
      key: {{ . }}
{{- end }}
{{- with .extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What the pods of a service have in common. The user is set by the image and not here, so that OpenShift can choose another one. */}}
{{- define "fibre.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  seccompProfile:
    type: RuntimeDefault
{{- with .image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- $ca := .database.ca }}
{{- if or .spool .caBundle.configMap .timeZones.configMap $ca.configMap $ca.secret }}
volumes:
{{- end }}
{{- with .spool }}
  - name: spool
    emptyDir:
      sizeLimit: {{ . }}
{{- end }}
{{- with .caBundle.configMap }}
  - name: ca-bundle
    configMap:
      name: {{ . }}
{{- end }}
{{- with .timeZones.configMap }}
  - name: time-zones
    configMap:
      name: {{ . }}
{{- end }}
{{- if or $ca.configMap $ca.secret }}
  - name: database-ca
    {{- with $ca.configMap }}
    configMap:
      name: {{ . }}
    {{- end }}
    {{- with $ca.secret }}
    secret:
      secretName: {{ . }}
    {{- end }}
      items:
        - key: {{ $ca.key }}
          path: ca.crt
{{- end }}
{{- end }}

{{- define "fibre.volumeMounts" -}}
{{- $ca := .database.ca }}
{{- if or .spool .caBundle.configMap .timeZones.configMap $ca.configMap $ca.secret -}}
volumeMounts:
{{- end }}
{{- if .spool }}
  - name: spool
    mountPath: /var/spool/fibre
{{- end }}
{{- if .caBundle.configMap }}
  - name: ca-bundle
    mountPath: /etc/fibre/ca/ca.crt
    subPath: {{ .caBundle.key }}
    readOnly: true
{{- end }}
{{- if .timeZones.configMap }}
  - name: time-zones
    mountPath: /etc/fibre/time-zones
    readOnly: true
{{- end }}
{{- if or $ca.configMap $ca.secret }}
  # The whole folder is mounted, because a subPath would keep the old certificate until the pod is replaced.
  - name: database-ca
    mountPath: /etc/fibre/database-ca
    readOnly: true
{{- end }}
{{- end }}

{{/* Link to the explanation of an alert. */}}
{{- define "fibre.runbook" -}}
{{- with (index . 0).runbookUrl -}}
runbook_url: {{ . }}#{{ index $ 1 }}
{{- end }}
{{- end }}

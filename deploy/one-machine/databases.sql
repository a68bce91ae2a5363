-- The database of a service, and its two roles: psql --set service=coverage --file databases.sql
-- What each line is for: docs/operations.md, "Database roles and TLS". Without passwords, because each role is a user of this machine.
\set ON_ERROR_STOP on
\set serve :service _serve
\set migrate :service _migrate
create role :"migrate" login;
create role :"serve" login;
create database :"service" owner :"migrate" template template0 encoding 'UTF8' locale 'C';
revoke all on database :"service" from public;
grant connect, temporary on database :"service" to :"serve";
alter role :"migrate" set lock_timeout = '5s';
alter role :"serve" set statement_timeout = '11s';
alter role :"serve" set lock_timeout = '1500ms';
alter role :"serve" set idle_in_transaction_session_timeout = '15s';
\connect :"service"
revoke create on schema public from public;
alter default privileges for role :"migrate" grant select, insert, update, delete on tables to :"serve";

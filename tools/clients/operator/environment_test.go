package operator

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	certutil "k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/klog/v2"
)

// admin may do everything.
var admin *rest.Config

// TestMain starts the programs of KUBEBUILDER_ASSETS as envtest does, with KUBE_APISERVER_FLAGS too, or takes the server
// of KUBECONFIG if USE_EXISTING_CLUSTER is true.
func TestMain(m *testing.M) {
	flag.Parse()
	patience = flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration) / 4
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	// Each line is written to the output of its severity, and to those below.
	klog.SetOutputBySeverity("INFO", &logged)
	environment := &environment{}
	started := time.Now()
	var err error
	if os.Getenv("USE_EXISTING_CLUSTER") == "true" {
		admin, err = clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	} else {
		admin, err = environment.start()
	}
	if err != nil {
		environment.stop()
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("ready after %d ms\n", time.Since(started).Milliseconds())
	admin.QPS = -1
	admin.WarningHandler = &warned
	admin.Wrap(sent.wrap("admin"))
	code := m.Run()
	fmt.Printf("stopped %.1f s after the start\n", time.Since(started).Seconds())
	environment.stop()
	// Of two servers, these files can be compared.
	if folder := os.Getenv("OPERATOR_RECORDS"); folder != "" {
		for name, text := range map[string]string{"observed": observed.text.String(), "requests": sent.String()} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// environment is a control plane of two programs.
type environment struct {
	folder   string
	programs []*exec.Cmd
}

func (environment *environment) start() (*rest.Config, error) {
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		return nil, fmt.Errorf("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver")
	}
	var err error
	if environment.folder, err = os.MkdirTemp("", "operator-"); err != nil {
		return nil, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	file := func(name string) string { return filepath.Join(environment.folder, name) }
	etcd := "http://127.0.0.1:" + ports[0]
	if err := environment.run(filepath.Join(assets, "etcd"),
		"--advertise-client-urls="+etcd, "--data-dir="+file("etcd"), "--listen-client-urls="+etcd,
		"--listen-peer-urls=http://127.0.0.1:"+ports[1], "--unsafe-no-fsync=true"); err != nil {
		return nil, err
	}
	if err := ready(http.DefaultClient, etcd+"/health"); err != nil {
		return nil, err
	}
	serving, servingKey, err := certutil.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost"})
	if err != nil {
		return nil, err
	}
	authority, client, clientKey, err := clientCertificate("admin", "system:masters")
	if err != nil {
		return nil, err
	}
	signer, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	signerKey, err := keyutil.MarshalPrivateKeyToPEM(signer)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(signer.Public())
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{
		"apiserver.crt": serving, "apiserver.key": servingKey, "client-ca.crt": authority,
		"signer.key": signerKey, "signer.pub": pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
	} {
		if err := os.WriteFile(file(name), content, 0o600); err != nil {
			return nil, err
		}
	}
	url := "https://127.0.0.1:" + ports[2]
	if err := environment.run(filepath.Join(assets, "kube-apiserver"), append(strings.Fields(os.Getenv("KUBE_APISERVER_FLAGS")),
		"--allow-privileged=true", "--authorization-mode=RBAC", "--bind-address=127.0.0.1", "--cert-dir="+environment.folder,
		"--client-ca-file="+file("client-ca.crt"), "--disable-admission-plugins=ServiceAccount", "--etcd-servers="+etcd,
		"--secure-port="+ports[2], "--service-account-issuer="+url+"/", "--service-account-key-file="+file("signer.pub"),
		"--service-account-signing-key-file="+file("signer.key"), "--service-cluster-ip-range=10.0.0.0/24")...); err != nil {
		return nil, err
	}
	config := &rest.Config{Host: url, TLSClientConfig: rest.TLSClientConfig{CAData: serving, CertData: client, KeyData: clientKey}}
	https, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return config, ready(https, url+"/readyz")
}

func (environment *environment) run(program string, flags ...string) error {
	command := exec.Command(program, flags...)
	output, err := os.Create(filepath.Join(environment.folder, filepath.Base(program)+".log"))
	if err != nil {
		return err
	}
	defer output.Close()
	command.Stdout, command.Stderr = output, output
	environment.programs = append(environment.programs, command)
	return command.Start()
}

// stop ends the programs, and prints what they cost.
func (environment *environment) stop() {
	for place := len(environment.programs) - 1; place >= 0; place-- {
		command := environment.programs[place]
		if command.Process == nil {
			continue
		}
		command.Process.Signal(syscall.SIGTERM)
		command.Wait()
		usage, _ := command.ProcessState.SysUsage().(*syscall.Rusage)
		fmt.Printf("%s: %.1f s of CPU, %d MB\n", filepath.Base(command.Path),
			(command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds(), usage.Maxrss/1024)
	}
	os.RemoveAll(environment.folder)
}

// ready waits until an address answers with 200.
func ready(client *http.Client, url string) error {
	deadline := time.Now().Add(patience)
	for {
		response, err := client.Get(url)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
			err = fmt.Errorf("%s: %s", url, response.Status)
		}
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func freePorts(count int) ([]string, error) {
	var ports []string
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		_, port, err := net.SplitHostPort(listener.Addr().String())
		if err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	return ports, nil
}

// clientCertificate returns an authority, and the certificate of a user with its key.
func clientCertificate(user, group string) (authority, certificate, key []byte, err error) {
	signer, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, nil, nil, err
	}
	issuer, err := certutil.NewSelfSignedCACert(certutil.Config{CommonName: "operator-test"}, signer)
	if err != nil {
		return nil, nil, nil, err
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: user, Organization: []string{group}},
		NotBefore:    issuer.NotBefore, NotAfter: issuer.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, private.Public(), crypto.Signer(signer))
	if err != nil {
		return nil, nil, nil, err
	}
	key, err = keyutil.MarshalPrivateKeyToPEM(private)
	encode := func(der []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: certutil.CertificateBlockType, Bytes: der})
	}
	return encode(issuer.Raw), encode(der), key, err
}

// logged keeps the warnings and errors of client-go.
var logged logLines

type logLines struct {
	mutex sync.Mutex
	lines []string
}

func (log *logLines) Write(text []byte) (int, error) {
	log.mutex.Lock()
	defer log.mutex.Unlock()
	for line := range bytes.Lines(text) {
		if line[0] == 'W' || line[0] == 'E' {
			log.lines = append(log.lines, string(bytes.TrimSpace(line)))
		}
	}
	return len(text), nil
}

// take returns the lines since the last call.
func (log *logLines) take() []string {
	log.mutex.Lock()
	defer log.mutex.Unlock()
	lines := log.lines
	log.lines = nil
	return lines
}

// warned keeps the warnings of the server.
var warned warnings

type warnings struct {
	mutex sync.Mutex
	texts []string
}

func (warnings *warnings) HandleWarningHeader(_ int, _ string, text string) {
	warnings.mutex.Lock()
	defer warnings.mutex.Unlock()
	warnings.texts = append(warnings.texts, text)
}

// take returns the warnings since the last call.
func (warnings *warnings) take() []string {
	warnings.mutex.Lock()
	defer warnings.mutex.Unlock()
	texts := warnings.texts
	warnings.texts = nil
	return texts
}

// sent counts the requests.
var sent requests

type requests struct {
	mutex  sync.Mutex
	counts map[string]int
}

type roundTripper func(*http.Request) (*http.Response, error)

func (send roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return send(request)
}

// wrap counts the requests of a user.
func (requests *requests) wrap(user string) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err != nil {
				return response, err
			}
			what := request.URL.Path
			if request.URL.Query().Get("watch") != "" {
				what += "?watch"
			}
			requests.mutex.Lock()
			defer requests.mutex.Unlock()
			if requests.counts == nil {
				requests.counts = map[string]int{}
			}
			requests.counts[fmt.Sprintf("%s %s %s: %d %s", user, request.Method, what, response.StatusCode,
				response.Header.Get("Content-Type"))]++
			return response, err
		})
	}
}

// String has a line for each user, method, path and answer, with the number of requests.
func (requests *requests) String() string {
	requests.mutex.Lock()
	defer requests.mutex.Unlock()
	var lines []string
	for what, count := range requests.counts {
		lines = append(lines, fmt.Sprintf("%s × %d\n", what, count))
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}
